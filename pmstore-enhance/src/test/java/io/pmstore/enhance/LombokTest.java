package io.pmstore.enhance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStore;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Classes that Lombok writes, with builders, value classes and withers. */
class LombokTest {
  @TempDir Path directory;

  private static String lombok() {
    return Arrays.stream(System.getProperty("java.class.path").split(java.io.File.pathSeparator))
        .filter(entry -> entry.contains("lombok"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  @SuppressWarnings("unchecked") // a list of persons
  void dataBuildersAndValuesAreKept() throws Exception {
    Path classes =
        ClassDirectory.compile(
            directory,
            "acme.Staff",
            """
            package acme;
            import io.pmstore.Persistent;
            import java.util.ArrayList;
            import java.util.List;
            import lombok.*;
            @Persistent(root = "staff")
            @Data
            public class Staff {
              private List<Person> people = new ArrayList<>();
              private Badge badge;
              @Persistent @Data @Builder @AllArgsConstructor @NoArgsConstructor
              public static class Person {
                private String name;
                private int age;
              }
              @Persistent @Value @With
              public static class Badge {
                long number;
                String colour;
              }
              public static Person person(String name, int age) {
                return Person.builder().name(name).age(age).build();
              }
              public static Badge badge(long number) {
                return new Badge(number, "red").withColour("blue");
              }
            }
            """,
            "-processorpath",
            lombok());
    Path enhanced = ClassDirectory.enhance(classes, directory.resolve("enhanced"));
    try (URLClassLoader loader = ClassDirectory.loader(enhanced, "acme.")) {
      Class<?> type = loader.loadClass("acme.Staff");
      String text;
      try (PmStore store = PmStore.open(directory.resolve("store"))) {
        Object staff = store.root(type);
        Object ann = type.getMethod("person", String.class, int.class).invoke(null, "Ann", 30);
        Object badge = type.getMethod("badge", long.class).invoke(null, 7L);
        ((java.util.List<Object>) type.getMethod("getPeople").invoke(staff)).add(ann);
        type.getMethod("setBadge", badge.getClass()).invoke(staff, badge);
        assertSame(badge, type.getMethod("getBadge").invoke(staff));
        ann.getClass().getMethod("setAge", int.class).invoke(ann, 31);
        text = staff.toString();
      }
      assertTrue(text.contains("age=31") && text.contains("number=7, colour=blue"), text);
      try (PmStore store = PmStore.open(directory.resolve("store"))) {
        Object staff = store.root(type);
        assertEquals(text, staff.toString());
        Object equal = type.getMethod("badge", long.class).invoke(null, 7L);
        assertEquals(equal, type.getMethod("getBadge").invoke(staff));
        assertEquals(type.getMethod("getBadge").invoke(staff), equal);
      }
    }
  }
}
