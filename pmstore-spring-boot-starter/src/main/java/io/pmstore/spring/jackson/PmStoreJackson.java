package io.pmstore.spring.jackson;

import io.pmstore.PmStore;
import tools.jackson.databind.cfg.MapperBuilder;
import tools.jackson.databind.module.SimpleModule;

/**
 * Teaches a Jackson 3 mapper about persistent objects: it writes them, and persistent collections,
 * exactly as plain ones of the same class, with all annotations, mix-ins and type ids. Reading
 * makes plain objects, which become persistent when they are assigned to a persistent one; {@code
 * readerForUpdating} writes into a persistent object.
 *
 * <p>The starter configures the application's mapper. Call {@link #configure(MapperBuilder,
 * PmStore)} for a mapper of your own.
 */
public final class PmStoreJackson {
  private PmStoreJackson() {}

  /**
   * Configures the builder of a mapper.
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
   * Configures the builder of a mapper that writes each value in a snapshot of a store: whatever
   * other threads commit meanwhile, the JSON shows one state. In a transaction or a snapshot of the
   * store it shows what that sees. On a node of a replicated store it shows what this node has
   * applied.
   *
   * @param <B> the type of the builder
   * @param builder builds the mapper
   * @param store has the objects that are written; it need not be open to write others
   * @return the builder
   */
  public static <B extends MapperBuilder<?, B>> B configure(B builder, PmStore store) {
    return configure(builder).serializationContexts(new SnapshotContexts(store));
  }
}
