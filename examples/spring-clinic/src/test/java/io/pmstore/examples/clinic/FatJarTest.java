package io.pmstore.examples.clinic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code java -jar}, used over HTTP, killed in the midst of it, and started again. */
class FatJarTest {
  private static final List<String> JAR = List.of("-jar", System.getProperty("clinic.jar"));
  private static final Pattern ID = Pattern.compile("\"id\":(\\d+)");
  private static final int WRITERS = 8;
  private static final int BEFORE_THE_KILL = 100;

  @TempDir Path temp;

  @Test
  void whatWasAnsweredIsThereAfterAKill() throws Exception {
    Path directory = temp.resolve("data");
    Map<Long, String> answered = new ConcurrentHashMap<>();
    String first;
    try (RunningClinic clinic = RunningClinic.start(directory, JAR)) {
      first = visitTheClinic(clinic);
      registerUntilKilled(clinic, answered);
    }
    try (RunningClinic clinic = RunningClinic.start(directory, JAR)) {
      assertEquals(first, clinic.get("/owners/1"));
      for (Map.Entry<Long, String> owner : answered.entrySet()) {
        assertEquals(owner.getValue(), clinic.get("/owners/" + owner.getKey()));
      }
      String next = clinic.post("/owners", "{\"name\":\"Eva\",\"city\":\"Rio\"}");
      assertFalse(answered.containsKey(id(next)), "a number was given again: " + next);
      assertTrue(
          clinic.get("/actuator/health").contains("\"pmstore\":{\"status\":\"UP\"}"),
          clinic.get("/actuator/health"));
      assertEquals(143, clinic.stop(), clinic.output()); // SIGTERM
      assertFalse(clinic.output().contains("WARN"), clinic.output());
    }
    assertTrue(answered.size() >= BEFORE_THE_KILL, "answered: " + answered.size());
  }

  private static String visitTheClinic(RunningClinic clinic) throws Exception {
    assertEquals(
        "{\"id\":1,\"name\":\"Ana\",\"city\":\"Porto\",\"pets\":[]}",
        clinic.post("/owners", "{\"name\":\"Ana\",\"city\":\"Porto\"}"));
    clinic.post("/owners/1/pets", "{\"name\":\"Rex\",\"kind\":\"DOG\",\"born\":\"2020-02-29\"}");
    clinic.post(
        "/owners/1/pets/Rex/visits", "{\"day\":\"2026-11-24\",\"reason\":\"flu\",\"price\":49.90}");
    clinic.put("/owners/1/city", "Lisboa");
    String all =
        "{\"id\":1,\"name\":\"Ana\",\"city\":\"Lisboa\",\"pets\":[{\"born\":\"2020-02-29\",\"kind\":\"DOG\","
            + "\"name\":\"Rex\",\"visits\":[{\"day\":\"2026-11-24\",\"reason\":\"flu\",\"price\":49.90}]}]}";
    assertEquals(all, clinic.get("/owners/1"));
    assertEquals("[" + all + "]", clinic.get("/owners"));
    assertEquals("{\"Lisboa\":49.90}", clinic.get("/owners/income"));
    assertEquals(404, clinic.statusOf("/owners/77"));
    assertTrue(clinic.output().contains("a welcome letter to Ana"), clinic.output());
    return all;
  }

  /** Registers owners from several threads and kills the clinic while they go on. */
  private static void registerUntilKilled(RunningClinic clinic, Map<Long, String> answered) {
    CountDownLatch enough = new CountDownLatch(BEFORE_THE_KILL);
    try (ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < WRITERS; i++) {
        String registration = "{\"name\":\"writer %d\",\"city\":\"Faro\"}".formatted(i);
        writers.submit(
            () -> {
              try {
                while (true) {
                  String owner = clinic.post("/owners", registration);
                  answered.put(id(owner), owner);
                  enough.countDown();
                }
              } catch (IOException e) {
                return e; // killed
              }
            });
      }
      enough.await();
      clinic.kill();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static long id(String owner) {
    Matcher id = ID.matcher(owner);
    assertTrue(id.find(), owner);
    return Long.parseLong(id.group(1));
  }
}
