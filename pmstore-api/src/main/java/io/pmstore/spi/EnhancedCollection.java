package io.pmstore.spi;

import java.util.Comparator;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * The interface that the enhancer adds to a class that extends a collection class of the JDK, such
 * as {@code class Content extends LinkedHashMap<String, Part>}. A plain object has its elements in
 * the fields of the JDK's class. A persistent one has them in a property, whose type is the JDK's
 * class and whose name is {@link #ELEMENTS}.
 *
 * <p>The enhancer adds to the class the field of that property, and overrides each method of the
 * JDK's class that uses its elements; see {@link EnhancedElements#stubs}.
 */
public interface EnhancedCollection extends EnhancedObject {
  /** The name of the property and of its field. The field itself is always null. */
  String ELEMENTS = "elements";

  /**
   * The beginning of the names of the methods that do what the JDK's class does, with the elements
   * of a plain or a persistent object. The code of the class calls them in place of methods of
   * {@code super}.
   */
  String SUPER = "pmstore$super:";

  /**
   * Returns an iterator over the elements in the fields of the JDK's class, even if the object is
   * persistent.
   *
   * @return an iterator over the elements, or over the entries of a map
   */
  Iterator<?> pmstoreSuperIterator();

  /**
   * Adds an element to those in the fields of the JDK's class, even if the object is persistent.
   *
   * @param element the element, or the key of an entry
   * @param value the value of the entry; not used for a collection
   */
  void pmstoreSuperAdd(@Nullable Object element, @Nullable Object value);

  /** Removes the elements in the fields of the JDK's class, even if the object is persistent. */
  void pmstoreSuperClear();

  /**
   * Returns the comparator of the JDK's class.
   *
   * @return the comparator; null for the natural order, and for a collection that is not sorted
   */
  @Nullable Comparator<?> pmstoreSuperComparator();
}
