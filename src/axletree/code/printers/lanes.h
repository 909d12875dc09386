#ifdef AXL_LANES /* defined where the compiler is told of -fopenmp-simd */
#define AXL_SIDE_BY_SIDE _Pragma("omp simd")
#else
#define AXL_SIDE_BY_SIDE
#endif
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 35)
#define AXL_VECTOR_LIBRARY /* the library has these functions for several lanes */
#endif
#endif
