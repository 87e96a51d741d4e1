package io.pmstore.proxy.identity;

import io.pmstore.core.heap.HeapObject;
import io.pmstore.proxy.schema.Binding;
import org.jspecify.annotations.Nullable;

/**
 * The objects of enhanced classes that constants of the program hold. They stay plain, in however
 * many stores they are: a store has an object of its own for each that was assigned, and a program
 * that reads a reference to it gets the constant.
 */
public interface ProgramConstants {
  /** Returns the handle of the object that this store has for a constant; null if it has none. */
  @Nullable HeapObject handle(Object constant);

  /**
   * Returns the constant that is equal to an object of the heap, by its class's own equality and in
   * all that the store keeps; null if there is none. An object of an older shape is compared as
   * today's class sees it, unless a property has to be made for it. Runs inside a transaction or a
   * consistent read.
   */
  @Nullable Object equalTo(Binding binding, HeapObject handle);
}
