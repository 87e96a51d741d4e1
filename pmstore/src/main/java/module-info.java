/**
 * The one artifact that a program depends on. A program reads the API through it; the
 * implementation is required so that it is there at run time, and exports nothing to programs.
 */
module io.pmstore {
  requires transitive io.pmstore.api;
  requires io.pmstore.core;
  requires io.pmstore.gc;
  requires static io.pmstore.llpl; // core finds it where it is; a program may leave it out
  requires io.pmstore.proxy;
  requires static io.pmstore.tiered; // as llpl
}
