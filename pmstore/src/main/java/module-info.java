/**
 * The one artifact that a program depends on: the API for its compiler, and at run time the
 * implementation, which the API finds as a service.
 */
module io.pmstore {
  requires transitive io.pmstore.api;
}
