package io.pmstore.proxy.generic;

import io.pmstore.core.catalogue.Catalogue;
import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.proxy.slot.ComponentHash;
import io.pmstore.proxy.value.KeyedHash;
import io.pmstore.proxy.value.ValueCells;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The hashes of keys as the object layer computes them, as far as that needs no class: those of
 * values, of enum constants, of records that are hashed by their components, and of objects that
 * are hashed by their identity. Thread-safe.
 */
final class GenericHash {
  private final Catalogue catalogue;
  private final Set<Integer> hashThemselves = ConcurrentHashMap.newKeySet();

  GenericHash(Catalogue catalogue) {
    this.catalogue = catalogue;
  }

  /** Notes that the class of a key has a {@code hashCode} of its own. */
  void hashesItself(@Nullable Object key) {
    hashThemselves.add(shapeId(key));
  }

  private static int shapeId(@Nullable Object key) {
    return switch (key) {
      case GenericRecord record -> record.shape().id();
      case GenericObject object -> object.shape().id();
      case null, default -> 0;
    };
  }

  int hash(@Nullable Object key) {
    return switch (key) {
      case null -> 0;
      case GenericEnum constant -> constant.hashCode();
      case GenericObject object -> object.hashCode();
      case GenericClass type -> type.name().hashCode();
      case GenericValue value -> value.hashCode();
      case GenericRecord record -> hash(record, this::hashOfPart);
      default -> {
        Integer known = ValueCells.knownHash(key);
        yield known == null ? 0 : known;
      }
    };
  }

  private int hashOfPart(@Nullable Object part) {
    return part instanceof Collection || part instanceof Map
        ? ComponentHash.ofContents(part, this::hashOfPart)
        : hash(part);
  }

  int secondHash(@Nullable Object key, long secret) {
    return switch (key) {
      case null -> 0;
      case GenericEnum constant -> KeyedHash.of(constant.hashCode(), secret);
      case GenericClass _ -> 0;
      case GenericRecord record when !hashThemselves.contains(record.shape().id()) ->
          hash(record, part -> secondHash(part, secret));
      case GenericObject object when !hashThemselves.contains(object.shape().id()) ->
          KeyedHash.of(object.address(), secret);
      default -> ValueCells.isKnownValue(key) ? ValueCells.keyedHash(key, secret) : 0;
    };
  }

  private int hash(GenericRecord record, ToIntFunction<@Nullable Object> ofPart) {
    Shape shape = record.shape();
    int hash = 0;
    for (int i = 0; i < shape.properties().size(); i++) {
      Property property = shape.properties().get(i);
      Object part = record.values().get(property.name());
      hash += ComponentHash.of(part, catalogue.firstName(shape, i).hashCode(), ofPart);
    }
    return hash;
  }
}
