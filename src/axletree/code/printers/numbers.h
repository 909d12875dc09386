#ifndef AXL_REAL /* the number type, its literals and its functions */
#define AXL_REAL double
#define AXL_N(x) x
#define AXL_F(x) x
#define AXL_LIBRARY(x) x
#endif
#ifndef AXL_TYPES
#define AXL_TYPES
typedef AXL_REAL axl_real;
#endif
