package io.pmstore.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pmstore.cli.text.Screen;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a command says of a failure while its process deletes what is not finished. */
class FailureTest {
  /** The process of a command that fails in its clean-up. Its argument is the option's value. */
  public static void main(String[] args) {
    Screen screen = Screen.ofProcess();
    AtTheEnd _ =
        new AtTheEnd(
            () -> {
              int _ =
                  Failure.report(
                      screen, new Failure("no file"), Boolean.parseBoolean(args[0]), false);
              screen.err().flush();
            });
  }

  /** The clean-up is the reason of the failure. Who asks for a stack trace gets it. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void afterASignalThereIsOnlyTheStackTrace(boolean stacktrace) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                FailureTest.class.getName(),
                Boolean.toString(stacktrace))
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    assertEquals(
        stacktrace ? Failure.class.getName() + ": no file" : "",
        said.lines().findFirst().orElse(""));
  }
}
