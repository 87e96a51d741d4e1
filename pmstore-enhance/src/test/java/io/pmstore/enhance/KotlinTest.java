package io.pmstore.enhance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStore;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jetbrains.kotlin.cli.common.ExitCode;
import org.jetbrains.kotlin.cli.jvm.K2JVMCompiler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kotlin's classes, which are final, as its compiler makes them. */
class KotlinTest {
  @TempDir Path directory;

  private Path compiled(String source) throws Exception {
    Path file = Files.writeString(directory.resolve("Book.kt"), source);
    Path classes = directory.resolve("classes");
    ByteArrayOutputStream messages = new ByteArrayOutputStream();
    ExitCode result =
        new K2JVMCompiler()
            .exec(
                new PrintStream(messages, true, StandardCharsets.UTF_8),
                "-no-stdlib",
                "-no-reflect",
                "-jvm-target",
                "1.8",
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                classes.toString(),
                file.toString());
    assertEquals(ExitCode.OK, result, messages.toString(StandardCharsets.UTF_8));
    return classes;
  }

  @Test
  void dataClassesAreKept() throws Exception {
    Path classes =
        compiled(
            """
            package acme
            import io.pmstore.Persistent

            @Persistent(root = "library")
            class Library {
                val books: MutableMap<String, Book> = mutableMapOf()
                lateinit var owner: String
                var loans: Int = 0
                    private set

                fun lend(title: String): Book {
                    val book = books.getValue(title)
                    book.copies -= 1
                    loans++
                    check(book.copies >= 0) { "none left" }
                    return book
                }

                fun add(title: String, copies: Int): Book =
                    Book(title, copies).also { books[title] = it }

                fun text() = "$owner $loans ${books.values.sortedBy { it.title }}"
            }

            @Persistent
            data class Book(val title: String, var copies: Int, val tags: List<String> = listOf("new"))
            """);
    Path enhanced = ClassDirectory.enhance(classes, directory.resolve("enhanced"));
    try (URLClassLoader loader = ClassDirectory.loader(enhanced, "acme.")) {
      Class<?> type = loader.loadClass("acme.Library");
      String text;
      try (PmStore store = PmStore.open(directory.resolve("store"))) {
        Object library = store.root(type);
        type.getMethod("setOwner", String.class).invoke(library, "Rio");
        var add = type.getMethod("add", String.class, int.class);
        Object book = add.invoke(library, "Emma", 1);
        add.invoke(library, "Ivanhoe", 2);
        var lend = type.getMethod("lend", String.class);
        assertSame(book, lend.invoke(library, "Emma"));
        Exception refused =
            org.junit.jupiter.api.Assertions.assertThrows(
                ReflectiveOperationException.class, () -> lend.invoke(library, "Emma"));
        assertTrue(refused.getCause().getMessage().contains("none left"));
        text = (String) type.getMethod("text").invoke(library);
      }
      assertEquals(
          "Rio 1 [Book(title=Emma, copies=0, tags=[new]), Book(title=Ivanhoe, copies=2,"
              + " tags=[new])]",
          text);
      try (PmStore store = PmStore.open(directory.resolve("store"))) {
        Object library = store.root(type);
        assertEquals(text, type.getMethod("text").invoke(library));
      }
    }
  }

  /** The constructor of a sealed class is private; another one is for its subclasses. */
  @Test
  void sealedClassesAreKept() throws Exception {
    Path classes =
        compiled(
            """
            package acme
            import io.pmstore.Persistent

            @Persistent(root = "drawing")
            class Drawing {
                val shapes = mutableListOf<Shape>()
                fun draw() {
                    shapes += Circle()
                    shapes += Square(2.0).copy(name = "tile")
                }
                fun text() = shapes.joinToString { "$it ${it.area}" }
            }

            @Persistent
            sealed class Shape { abstract val area: Double }

            @Persistent
            data class Circle(val radius: Double = 1.0) : Shape() {
                override val area get() = radius * radius * 3
            }

            @Persistent
            data class Square(val side: Double, var name: String? = null) : Shape() {
                override val area = side * side
            }
            """);
    Path enhanced = ClassDirectory.enhance(classes, directory.resolve("enhanced"));
    try (URLClassLoader loader = ClassDirectory.loader(enhanced, "acme.")) {
      Class<?> type = loader.loadClass("acme.Drawing");
      try (PmStore store = PmStore.open(directory.resolve("store"))) {
        type.getMethod("draw").invoke(store.root(type));
      }
      try (PmStore store = PmStore.open(directory.resolve("store"))) {
        assertEquals(
            "Circle(radius=1.0) 3.0, Square(side=2.0, name=tile) 4.0",
            type.getMethod("text").invoke(store.root(type)));
      }
    }
  }

  @Test
  void aClassThatExtendsAListIsKept() throws Exception {
    Path classes =
        compiled(
            """
            package acme
            import io.pmstore.Persistent

            @Persistent(root = "route")
            class Route {
                var stops: Stops = Stops("north")
                fun text() = "${stops.name} ${stops.size} $stops ${stops.first()}"
            }

            @Persistent
            class Stops(val name: String) : ArrayList<String>() {
                var added = 0
                override fun add(element: String): Boolean {
                    added++
                    return super.add(element)
                }
                fun turn() {
                    val last = removeAt(size - 1)
                    add(0, last)
                    this += "end $added"
                }
            }
            """);
    Path enhanced = ClassDirectory.enhance(classes, directory.resolve("enhanced"));
    try (URLClassLoader loader = ClassDirectory.loader(enhanced, "acme.")) {
      Class<?> type = loader.loadClass("acme.Route");
      try (PmStore store = PmStore.open(directory.resolve("store"))) {
        Object stops = type.getMethod("getStops").invoke(store.root(type));
        for (String stop : List.of("a", "b", "c")) {
          stops.getClass().getMethod("add", String.class).invoke(stops, stop);
        }
        stops.getClass().getMethod("turn").invoke(stops);
      }
      try (PmStore store = PmStore.open(directory.resolve("store"))) {
        assertEquals("north 4 [c, a, b, end 3] c", type.getMethod("text").invoke(store.root(type)));
      }
    }
  }

  /** Nobody can annotate a class of Kotlin's library. */
  @Test
  void aClassOfKotlinsLibraryIsNotToBeAnnotated() throws Exception {
    Path classes =
        compiled(
            """
            package acme
            import io.pmstore.Persistent

            @Persistent
            class Route {
                var leg: Pair<String, Int>? = null
            }
            """);
    Path enhanced = ClassDirectory.enhance(classes, directory.resolve("enhanced"));
    try (URLClassLoader loader = ClassDirectory.loader(enhanced, "acme.")) {
      String report = PmStore.check(loader.loadClass("acme.Route")).toString();
      assertTrue(
          report.contains(
              "property leg is of type kotlin.Pair, which is neither a value type nor annotated"
                  + " with @Persistent; keep what it says in properties of other types, give the"
                  + " store a codec for it with PmStoreOptions.valueType, such as"
                  + " ValueCodec.ofSerializable, or mark the field transient"),
          report);
    }
  }
}
