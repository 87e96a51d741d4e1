package io.pmstore.proxy.collection;

/** Shows the collections that a collection holds as objects of other classes. */
public interface ElementFacades {
  /** Returns what the program gets for a stored collection. */
  Object shown(PersistentCollection stored);
}
