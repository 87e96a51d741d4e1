package io.pmstore;

/**
 * The access that the group of a store's files has to the store. Users other than the owner and the
 * group never have access.
 */
public enum GroupAccess {
  /** No access. The directory and the files have the modes 0700 and 0600. */
  NONE,
  /**
   * The group may open the store {@linkplain PmStoreOptions#readOnly for reading only}, and copy
   * its files. The directory and the files have the modes 0750 and 0640.
   */
  READ,
  /**
   * The group may open the store for reading and writing, as the owner may. The directory and the
   * files have the modes 0770 and 0660.
   */
  WRITE
}
