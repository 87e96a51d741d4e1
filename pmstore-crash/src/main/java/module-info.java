/** What a power cut can leave of files. Knows nothing of stores. */
module io.pmstore.crash {
  requires static org.jspecify;

  exports io.pmstore.crash;
}
