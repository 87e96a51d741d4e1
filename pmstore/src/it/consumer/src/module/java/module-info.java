/** A program that is a named module, with one dependency: pmstore. */
module org.example.shop {
  requires io.pmstore;

  // pmstore makes its classes beside those of the program.
  opens org.example.shop to
      io.pmstore.proxy;
}
