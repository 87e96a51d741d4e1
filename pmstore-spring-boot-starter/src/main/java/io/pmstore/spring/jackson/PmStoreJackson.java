package io.pmstore.spring.jackson;

import io.pmstore.PmStore;
import tools.jackson.databind.cfg.MapperBuilder;
import tools.jackson.databind.module.SimpleModule;

/**
 * Configures Jackson 3 mappers for persistent objects. A configured mapper writes persistent
 * objects and collections exactly as plain ones of the same class, with all annotations, mix-ins
 * and type ids. It reads JSON into plain objects, which become persistent when the program assigns
 * them to a persistent object; {@code readerForUpdating} writes into a persistent object.
 *
 * <p>The starter configures the application's mapper. Call {@link #configure(MapperBuilder,
 * PmStore)} for a mapper of your own.
 */
public final class PmStoreJackson {
  private PmStoreJackson() {}

  /**
   * Configures the builder of a mapper. The mapper opens no snapshots: while it writes a value,
   * other threads may change the objects.
   *
   * @param <B> the type of the builder
   * @param builder builds the mapper
   * @return the builder
   */
  public static <B extends MapperBuilder<?, B>> B configure(B builder) {
    SimpleModule module = new SimpleModule("pmstore");
    module.setSerializerModifier(new StoredFieldsOut());
    module.setDeserializerModifier(new StoredFieldsIn());
    return builder
        .addModule(module)
        .typeFactory(builder.typeFactory().withModifier(new DeclaredTypes()));
  }

  /**
   * Configures the builder of a mapper that writes each value in a snapshot of a store, so that the
   * JSON shows one state, even if other threads commit meanwhile. Inside a transaction or a
   * snapshot of the store, the JSON shows the state that it sees. On a node of a replicated store,
   * the JSON shows the state that this node has applied.
   *
   * <p>If the store has {@link io.pmstore.Durability#SYNC}, the mapper begins to write when
   * everything that the snapshot shows is durable. So no client gets what a power cut can take
   * back, even if a part of the JSON leaves the program before the rest is written. If the store
   * has relaxed durability, the mapper does not wait, as transactions do not.
   *
   * @param <B> the type of the builder
   * @param builder builds the mapper
   * @param store the store of the persistent objects; the mapper can write other objects even if
   *     this store is closed
   * @return the builder
   */
  public static <B extends MapperBuilder<?, B>> B configure(B builder, PmStore store) {
    return configure(builder, store, !store.durability().isRelaxed());
  }

  /**
   * Configures the builder of a mapper that writes each value in a snapshot of a store. Everything
   * else that {@link #configure(MapperBuilder, PmStore)} says holds.
   *
   * @param <B> the type of the builder
   * @param builder builds the mapper
   * @param store the store of the persistent objects; the mapper can write other objects even if
   *     this store is closed
   * @param durable true if the mapper waits until everything that the snapshot shows is durable
   *     before it writes, whatever the durability of the store; false if it does not wait
   * @return the builder
   */
  public static <B extends MapperBuilder<?, B>> B configure(
      B builder, PmStore store, boolean durable) {
    return configure(builder).serializationContexts(new SnapshotContexts(store, durable));
  }
}
