package io.pmstore.proxy.facade;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The methods that {@code Properties} adds to {@code Hashtable}. One in a store has no defaults.
 */
final class PropertiesExtras {
  private PropertiesExtras() {}

  @SuppressWarnings("unchecked") // the target of Properties is a map
  private static Map<Object, Object> map(View view) {
    return (Map<Object, Object>) view.pmstoreTarget();
  }

  private static Properties copy(View view) {
    return (Properties) Extras.plainCopy(view);
  }

  private static void add(View view, Properties loaded) {
    View.write(
        view,
        () -> {
          map(view).putAll(loaded);
          return true;
        });
  }

  // -- one property

  static @Nullable String getProperty(View view, String key) {
    return map(view).get(key) instanceof String text ? text : null;
  }

  static @Nullable String getProperty(View view, String key, @Nullable String otherwise) {
    String found = getProperty(view, key);
    return found == null ? otherwise : found;
  }

  static @Nullable Object setProperty(View view, String key, String value) {
    return map(view).put(key, value);
  }

  // -- all of them

  static Set<String> stringPropertyNames(View view) {
    return Collections.unmodifiableSet(new HashSet<>(copy(view).stringPropertyNames()));
  }

  // -- files

  static void load(View view, Reader in) throws IOException {
    Properties loaded = new Properties();
    loaded.load(in);
    add(view, loaded);
  }

  static void load(View view, InputStream in) throws IOException {
    Properties loaded = new Properties();
    loaded.load(in);
    add(view, loaded);
  }

  static void loadFromXML(View view, InputStream in) throws IOException {
    Properties loaded = new Properties();
    loaded.loadFromXML(in);
    add(view, loaded);
  }
}
