package io.pmstore.core.catalogue;

/**
 * A value type that a program has registered, with the version of its codec. Only the codec knows
 * what the bytes of a value mean.
 *
 * @param id the id by which cells name the type; 0 while it is in no catalogue
 * @param className the binary name of the class for which the type was first registered
 * @param name the name of the codec, which stays
 * @param version the version of the codec, 1 or more
 */
public record ValueType(int id, String className, String name, int version)
    implements CatalogueEntry {
  @Override
  public ValueType withId(int newId) {
    return new ValueType(newId, className, name, version);
  }

  /** Returns true if another entry has the same codec name and version. */
  boolean isSameAs(ValueType other) {
    return name.equals(other.name) && version == other.version;
  }

  @Override
  public String toString() {
    return "value type " + name + ", version " + version;
  }
}
