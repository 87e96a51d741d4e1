package io.pmstore.oms.flow;

import quickfix.ConfigError;
import quickfix.DataDictionary;
import quickfix.ValidationSettings;

/** The data dictionary of FIX 4.4 and how strictly messages are checked against it. */
final class FixDictionary {
  private static final DataDictionary FIX44 = load();

  private FixDictionary() {}

  /** Returns the dictionary; it is only read, so threads may share it. */
  static DataDictionary fix44() {
    return FIX44;
  }

  /**
   * Returns settings that accept user-defined fields and refuse everything else the dictionary does
   * not know.
   */
  static ValidationSettings settings() {
    ValidationSettings settings = new ValidationSettings();
    settings.setCheckUserDefinedFields(false);
    settings.setAllowUnknownMessageFields(false);
    settings.setCheckFieldsHaveValues(true);
    settings.setCheckFieldsOutOfOrder(true);
    return settings;
  }

  private static DataDictionary load() {
    try {
      return new DataDictionary("FIX44.xml");
    } catch (ConfigError e) {
      throw new IllegalStateException(
          "FIX44.xml of QuickFIX/J is not on the class path; build the demo with its dependencies",
          e);
    }
  }
}
