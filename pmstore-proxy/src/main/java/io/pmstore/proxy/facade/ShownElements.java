package io.pmstore.proxy.facade;

import io.pmstore.proxy.bean.ElementClasses;
import io.pmstore.proxy.collection.ElementFacades;
import io.pmstore.proxy.collection.PersistentCollection;

/**
 * Shows the elements of a collection as instances of the classes that the type of a property names.
 * From then on the collection does so for every caller: a list that is shown as an {@code
 * ArrayList} is a {@code List} as well.
 */
public record ShownElements(ElementClasses classes) implements ElementFacades {

  /** Tells a collection to show its elements as objects of these classes. */
  public static void in(PersistentCollection collection, ElementClasses classes) {
    if (!(collection.contents().elementFacades() instanceof ShownElements known)
        || !known.classes().equals(classes)) {
      collection.contents().elementFacades(new ShownElements(classes));
    }
  }

  @Override
  public Object shown(PersistentCollection stored) {
    ElementClasses within = classes.within();
    if (within != null) {
      in(stored, within);
    }
    Class<?> type = classes.shown();
    return type == null ? stored : Facades.shown(stored, type);
  }
}
