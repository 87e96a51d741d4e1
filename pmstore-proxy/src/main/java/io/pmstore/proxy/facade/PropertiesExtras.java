package io.pmstore.proxy.facade;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Reader;
import java.io.Writer;
import java.nio.charset.Charset;
import java.util.Collections;
import java.util.Enumeration;
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

  static Enumeration<?> propertyNames(View view) {
    return copy(view).propertyNames();
  }

  static Set<String> stringPropertyNames(View view) {
    return Collections.unmodifiableSet(new HashSet<>(copy(view).stringPropertyNames()));
  }

  static void list(View view, PrintStream out) {
    copy(view).list(out);
  }

  static void list(View view, PrintWriter out) {
    copy(view).list(out);
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

  @SuppressWarnings("deprecation") // programs may still call it
  static void save(View view, OutputStream out, @Nullable String comments) {
    copy(view).save(out, comments);
  }

  static void store(View view, Writer out, @Nullable String comments) throws IOException {
    copy(view).store(out, comments);
  }

  static void store(View view, OutputStream out, @Nullable String comments) throws IOException {
    copy(view).store(out, comments);
  }

  static void storeToXML(View view, OutputStream out, @Nullable String comment) throws IOException {
    copy(view).storeToXML(out, comment);
  }

  @SuppressWarnings("JdkObsolete") // programs call it
  static void storeToXML(View view, OutputStream out, @Nullable String comment, String encoding)
      throws IOException {
    copy(view).storeToXML(out, comment, encoding);
  }

  static void storeToXML(View view, OutputStream out, @Nullable String comment, Charset charset)
      throws IOException {
    copy(view).storeToXML(out, comment, charset);
  }
}
