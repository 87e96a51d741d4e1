package io.pmstore.core.medium;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStoreException;
import io.pmstore.core.memory.NativeCalls;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** A native image can call those functions only whose signatures its builder was told. */
class NativeImageMetadataTest {
  private static final String FILE =
      "/META-INF/native-image/io.pmstore/pmstore-core/reachability-metadata.json";
  private static final Pattern DOWNCALL =
      Pattern.compile(
          "\"returnType\": \"(.+?)\",\\s+\"parameterTypes\": \\[(.*?)],\\s+\"options\":"
              + " \\{\"(\\w+)");

  @Test
  void theMetadataHasTheSignatureOfEachCall() throws Exception {
    try {
      PmemLibrary.require();
    } catch (PmStoreException e) {
      System.err.println("*** THE METADATA OF NATIVE IMAGES IS NOT CHECKED: " + e.getMessage());
      Assumptions.abort(e.getMessage());
    }
    Set<String> used = new TreeSet<>();
    int calls = addHandles(NativeCalls.class, "captureCallState", 2, used);
    calls +=
        addHandles(Class.forName(PmemLibrary.class.getName() + "$Handles"), "critical", 0, used);
    assertEquals(4, calls);
    assertEquals(used, inMetadata());
  }

  /** Adds the signatures of the handles in static fields. Returns how many handles there are. */
  private static int addHandles(Class<?> owner, String option, int ownParameters, Set<String> to)
      throws IllegalAccessException {
    int count = 0;
    for (Field field : owner.getDeclaredFields()) {
      if (field.getType() == MethodHandle.class) {
        field.setAccessible(true);
        MethodType type = ((MethodHandle) field.get(null)).type();
        String parameters =
            type.parameterList().stream()
                .skip(ownParameters) // the function and the state
                .map(NativeImageMetadataTest::name)
                .collect(Collectors.joining(", "));
        to.add(name(type.returnType()) + " (" + parameters + ") " + option);
        count++;
      }
    }
    return count;
  }

  private static String name(Class<?> type) {
    return type == MemorySegment.class ? "void*" : type == void.class ? "void" : "j" + type;
  }

  private static Set<String> inMetadata() throws Exception {
    Set<String> found = new TreeSet<>();
    try (InputStream in = NativeCalls.class.getResourceAsStream(FILE)) {
      assertNotNull(in, FILE);
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      Matcher matcher = DOWNCALL.matcher(text);
      while (matcher.find()) {
        String parameters =
            Stream.of(matcher.group(2).split(","))
                .map(parameter -> parameter.strip().replace("\"", ""))
                .collect(Collectors.joining(", "));
        found.add(matcher.group(1) + " (" + parameters + ") " + matcher.group(3));
      }
      assertTrue(text.contains("\"allowHeapAccess\": false"));
    }
    return found;
  }
}
