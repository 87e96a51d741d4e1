/**
 * The one artifact that a program depends on. A program reads the API through it; the
 * implementation is required so that it is there at run time, and exports nothing to programs.
 */
module io.pmstore {
  requires transitive io.pmstore.api;
  requires io.pmstore.core;
  requires io.pmstore.gc;
  requires io.pmstore.proxy;
}
