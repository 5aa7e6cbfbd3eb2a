/** Programs whose `-o` names the program that they make; what else they are given, they read. */
export const compilers =
  /^(?:(?:[\w.-]+-)?(?:cc|c\+\+|gcc|g\+\+|clang|clang\+\+|ld)(?:-[\d.]+)?|go|rustc|ghc|gfortran|dmd|ldc2|crystal|swiftc|odin)$/;
