package io.pmstore;

/**
 * The access that the files' group has to a store. Users other than the owner and the group never
 * have access.
 */
public enum GroupAccess {
  /** Nothing: the directory and the files are the owner's alone (modes 0700 and 0600). */
  NONE,
  /**
   * Open the store {@linkplain PmStoreOptions#readOnly for reading only}, and copy it (modes 0750
   * and 0640).
   */
  READ,
  /** Open the store like its owner (modes 0770 and 0660). */
  WRITE
}
