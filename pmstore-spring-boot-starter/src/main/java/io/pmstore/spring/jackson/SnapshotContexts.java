package io.pmstore.spring.jackson;

import io.pmstore.PmStore;
import io.pmstore.PmStoreException;
import io.pmstore.ReadConsistency;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.cfg.GeneratorSettings;
import tools.jackson.databind.cfg.SerializationContexts;
import tools.jackson.databind.jsontype.TypeSerializer;
import tools.jackson.databind.ser.SerializationContextExt;
import tools.jackson.databind.ser.SerializerCache;
import tools.jackson.databind.ser.SerializerFactory;

/** Makes a mapper write each value, from its root to its leaves, in one snapshot of a store. */
final class SnapshotContexts extends SerializationContexts.DefaultImpl {
  private static final long serialVersionUID = 1L;

  private final transient PmStore store;
  private final boolean durable;

  /**
   * Makes the contexts of a mapper.
   *
   * @param durable true if everything that a snapshot shows has to be durable before the first byte
   *     is written
   */
  SnapshotContexts(PmStore store, boolean durable) {
    this.store = store;
    this.durable = durable;
  }

  private SnapshotContexts(
      PmStore store,
      boolean durable,
      TokenStreamFactory factory,
      SerializerFactory serializers,
      SerializerCache cache) {
    super(factory, serializers, cache);
    this.store = store;
    this.durable = durable;
  }

  @Override
  public SerializationContexts forMapper(
      Object mapper,
      TokenStreamFactory factory,
      SerializerFactory serializers,
      SerializerCache cache) {
    return new SnapshotContexts(store, durable, factory, serializers, cache);
  }

  @Override
  public SerializationContextExt createContext(
      SerializationConfig config, GeneratorSettings settings) {
    return new Context(_streamFactory, config, settings, _serializerFactory, _cache);
  }

  /**
   * Runs a body that writes a value in a snapshot. If the store is closed or has failed, the body
   * runs without a snapshot, so that the application can still write other values, such as a report
   * of the failure. A read of an object of the store in the body then throws the exception.
   */
  private void read(Runnable body) {
    boolean[] begun = new boolean[1];
    try {
      if (!store.inTransaction()) {
        store.<Boolean, RuntimeException>snapshot(
            ReadConsistency.LOCAL,
            () -> {
              if (durable) {
                store.sync(); // a long value leaves the program before the snapshot ends
              }
              begun[0] = true;
              body.run();
              return true;
            });
        return;
      }
    } catch (PmStoreException e) {
      if (begun[0]) {
        throw e;
      }
    }
    body.run();
  }

  /** Writes the values; each public method of its superclass writes one root value. */
  private final class Context extends SerializationContextExt {
    Context(
        TokenStreamFactory factory,
        SerializationConfig config,
        GeneratorSettings settings,
        SerializerFactory serializers,
        SerializerCache cache) {
      super(factory, config, settings, serializers, cache);
    }

    @Override
    public void serializeValue(JsonGenerator generator, Object value) {
      read(() -> super.serializeValue(generator, value));
    }

    @Override
    public void serializeValue(JsonGenerator generator, Object value, JavaType type) {
      read(() -> super.serializeValue(generator, value, type));
    }

    @Override
    public void serializeValue(
        JsonGenerator generator, Object value, JavaType type, ValueSerializer<Object> serializer) {
      read(() -> super.serializeValue(generator, value, type, serializer));
    }

    @Override
    public void serializePolymorphic(
        JsonGenerator generator,
        Object value,
        JavaType type,
        ValueSerializer<Object> serializer,
        TypeSerializer types) {
      read(() -> super.serializePolymorphic(generator, value, type, serializer, types));
    }
  }
}
