package io.pmstore.proxy.value;

import io.pmstore.PmStoreException;
import io.pmstore.StoreDamagedException;
import java.io.File;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.nio.charset.Charset;
import java.nio.charset.UnsupportedCharsetException;
import java.nio.file.FileSystems;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Currency;
import java.util.Locale;
import java.util.TimeZone;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Values that are kept as self-contained texts. The codes are part of the format. */
enum TextCells {
  URI(1),
  LOCALE(2),
  CURRENCY(3),
  /** Language, country and variant, one a line, of a locale that no language tag describes. */
  LOCALE_PARTS(4),
  URL(5),
  FILE(6),
  PATH(7),
  PATTERN(8),
  CHARSET(9),
  /** As {@link AddressText} has it, like the next two. */
  ADDRESS(10),
  SOCKET_ADDRESS(11),
  PROXY(12),
  /** As {@link CalendarText} has it, like the next one. */
  TIME_ZONE(13),
  CALENDAR(14);

  private static final boolean FILES_IGNORE_CASE = new File("a").equals(new File("A"));

  private static final Pattern PROTOCOL = java.util.regex.Pattern.compile("[A-Za-z][\\w+.-]*:");

  final int code;

  TextCells(int code) {
    this.code = code;
  }

  /**
   * Returns the kind of a value, or null if the value is not kept as a text or its text does not
   * describe all of it.
   */
  @SuppressWarnings("ReferenceEquality") // there is one default file system
  static @Nullable TextCells of(Object value) {
    return switch (value) {
      case java.net.URI uri -> kept(URI, uri);
      case Locale locale -> kept(locale);
      case Currency _ -> CURRENCY;
      case java.net.URL url -> kept(URL, url);
      case File file when file.getClass() == File.class -> FILE;
      case Path path when path.getFileSystem() == FileSystems.getDefault() -> kept(PATH, path);
      case Pattern pattern -> PatternFlags.areFromItsStart(pattern) ? PATTERN : null;
      case Charset charset -> kept(CHARSET, charset);
      case InetAddress address -> kept(ADDRESS, address);
      case InetSocketAddress address -> kept(SOCKET_ADDRESS, address);
      case java.net.Proxy proxy -> kept(PROXY, proxy);
      case TimeZone zone when CalendarText.isOfJdk(zone) -> kept(TIME_ZONE, zone);
      case java.util.Calendar calendar when CalendarText.isOfJdk(calendar) ->
          kept(CALENDAR, calendar);
      default -> null;
    };
  }

  private static @Nullable TextCells kept(Locale locale) {
    TextCells tag = kept(LOCALE, locale);
    return tag != null ? tag : kept(LOCALE_PARTS, locale);
  }

  /**
   * Returns {@code kind} if reading the value's text gives an equal value, or null. A URL with a
   * handler of its own, for instance, has a part that its text lacks.
   */
  private static @Nullable TextCells kept(TextCells kind, Object value) {
    try {
      String text = kind.textOf(value);
      Object read = kind.valueOf(text, 0);
      // URL.equals would look the host up.
      boolean isEqual =
          read.getClass() == value.getClass()
              && (kind == URL || read.equals(value))
              && kind.textOf(read).equals(text);
      return isEqual ? kind : null;
    } catch (IllegalArgumentException | PmStoreException e) {
      return null;
    }
  }

  /** Returns what distinguishes two values of one kind besides the text: the flags of a pattern. */
  static int flags(Object value) {
    return value instanceof Pattern pattern ? pattern.flags() : 0;
  }

  String textOf(Object value) {
    return switch (this) {
      case LOCALE -> ((Locale) value).toLanguageTag();
      case LOCALE_PARTS -> {
        Locale locale = (Locale) value;
        yield locale.getLanguage() + "\n" + locale.getCountry() + "\n" + locale.getVariant();
      }
      case URL -> ((java.net.URL) value).toExternalForm();
      case CHARSET -> ((Charset) value).name();
      case ADDRESS -> AddressText.of((InetAddress) value);
      case SOCKET_ADDRESS -> AddressText.of((InetSocketAddress) value);
      case PROXY -> AddressText.of((java.net.Proxy) value);
      case TIME_ZONE -> CalendarText.of((TimeZone) value);
      case CALENDAR -> CalendarText.of((java.util.Calendar) value);
      default -> value.toString();
    };
  }

  /**
   * Returns a hash code that is the same in every JVM; null if no two values that were read are
   * equal, or if only the network can tell which are.
   */
  @Nullable Integer hash(Object value) {
    String text = keyText(value);
    return text == null ? null : Integer.valueOf(text.toLowerCase(Locale.ROOT).hashCode());
  }

  /** Returns a text that equal values share, and few others; null if the kind has no hash code. */
  @Nullable String keyText(Object value) {
    return switch (this) {
      case URL, PATTERN -> null;
      case ADDRESS -> AddressText.digits((InetAddress) value);
      case SOCKET_ADDRESS -> AddressText.key((InetSocketAddress) value);
      case PROXY -> AddressText.key((java.net.Proxy) value);
      case TIME_ZONE -> ((TimeZone) value).getID();
      case CALENDAR -> CalendarText.key((java.util.Calendar) value);
      case FILE, PATH -> FILES_IGNORE_CASE ? textOf(value).toLowerCase(Locale.ROOT) : textOf(value);
      case URI -> keyText((java.net.URI) value);
      default -> textOf(value).toLowerCase(Locale.ROOT);
    };
  }

  /** Case is not significant in scheme, host and the digits of escapes. */
  private static String keyText(java.net.URI uri) {
    StringBuilder key = new StringBuilder();
    if (uri.getScheme() != null) {
      key.append(uri.getScheme().toLowerCase(Locale.ROOT)).append(':');
    }
    if (uri.isOpaque()) {
      key.append(uri.getRawSchemeSpecificPart());
    } else {
      String authority = uri.getRawAuthority();
      if (authority != null) {
        key.append("//");
        key.append(uri.getHost() == null ? authority : authority.toLowerCase(Locale.ROOT));
      }
      key.append(uri.getRawPath());
      if (uri.getRawQuery() != null) {
        key.append('?').append(uri.getRawQuery());
      }
    }
    if (uri.getRawFragment() != null) {
      key.append('#').append(uri.getRawFragment());
    }
    for (int i = 1; i < key.length(); i++) {
      if (key.charAt(i - 1) == '%' || (i > 1 && key.charAt(i - 2) == '%')) {
        key.setCharAt(i, Character.toLowerCase(key.charAt(i)));
      }
    }
    return key.toString();
  }

  /**
   * Returns the value of a text.
   *
   * @throws IllegalArgumentException if no value of this kind has such a text
   */
  private Object valueOf(String text, int flags) {
    return switch (this) {
      case URI -> java.net.URI.create(text);
      case LOCALE -> Locale.forLanguageTag(text);
      case LOCALE_PARTS -> {
        String[] parts = text.split("\n", 3);
        if (parts.length < 3) {
          throw new IllegalArgumentException("no three parts of a locale: " + text);
        }
        yield Locale.of(parts[0], parts[1], parts[2]);
      }
      case CURRENCY -> currency(text);
      case URL -> url(text);
      case FILE -> new File(text);
      case PATH -> path(text);
      case PATTERN -> Pattern.compile(text, flags);
      case CHARSET -> charset(text);
      case ADDRESS -> AddressText.address(text);
      case SOCKET_ADDRESS -> AddressText.socketAddress(text);
      case PROXY -> AddressText.proxy(text);
      case TIME_ZONE -> CalendarText.zone(text);
      case CALENDAR -> CalendarText.calendar(text);
    };
  }

  @SuppressWarnings("deprecation") // not every URL is a URI, which the other factory methods need
  private static java.net.URL url(String text) {
    try {
      return new java.net.URL(text);
    } catch (MalformedURLException e) {
      if (!PROTOCOL.matcher(text).lookingAt()) {
        throw new IllegalArgumentException("no URL: " + text, e);
      }
      throw UnknownHere.of(
          "URL", text, "give the JVM a java.net.spi.URLStreamHandlerProvider for its protocol", e);
    }
  }

  private static Currency currency(String code) {
    try {
      return Currency.getInstance(code);
    } catch (IllegalArgumentException e) {
      if (!code.matches("[A-Z]{3}")) {
        throw e;
      }
      throw UnknownHere.of("currency", code, "use a JVM that is not older", e);
    }
  }

  private static Path path(String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("no path of this file system: " + text, e);
    }
  }

  private static Charset charset(String name) {
    try {
      return Charset.forName(name);
    } catch (UnsupportedCharsetException e) {
      throw UnknownHere.of(
          "charset",
          name,
          "run it with what brings the charset, such as the module jdk.charsets",
          e);
    }
  }

  /** Returns the value of a text in a cell. */
  static Object value(int code, int flags, String text) {
    for (TextCells kind : values()) {
      if (kind.code == code) {
        return kind.valueOf(text, flags);
      }
    }
    throw new StoreDamagedException(
        "a cell holds a text of kind %s, which this program does not know; restore the store from a backup, or open it with the program that wrote it"
            .formatted(code));
  }
}
