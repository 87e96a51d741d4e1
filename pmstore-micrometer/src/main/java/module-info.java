/** Publishes the metrics of a store as meters of Micrometer. */
@SuppressWarnings({
  "module",
  "requires-automatic",
  "requires-transitive-automatic"
}) // Micrometer's jars are automatic
module io.pmstore.micrometer {
  requires transitive io.pmstore.api;
  requires transitive micrometer.core;
  requires static org.jspecify;

  exports io.pmstore.micrometer;
}
