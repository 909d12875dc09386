#include <stdint.h>
#include <string.h>
#undef AXL_F
#define AXL_F(x) axl_fixed_##x
/* What a comparison gives: all bits, or none. Compilers make jumps of ?: where they like to; of
   comparisons side by side they make none, so of two equal lanes one is read. */
#ifdef __GNUC__
typedef double axl_two __attribute__((vector_size(16)));
typedef int64_t axl_mask __attribute__((vector_size(16)));
#define AXL_LANE(two, k) (two)[k]
#define AXL_COMPARED(a, is, b) ((axl_two){a, a} is (axl_two){b, b})
#else
typedef struct { double lane[2]; } axl_two;
#define AXL_LANE(two, k) (two).lane[k]
typedef uint64_t axl_mask;
#define AXL_COMPARED(a, is, b) (UINT64_C(0) - (uint64_t)((a) is (b)))
#endif
