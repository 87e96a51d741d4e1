package io.pmstore.oms.run;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The command that starts another JVM like this one: same Java, same options, same class path. */
public final class JvmCommand {
  private JvmCommand() {}

  /**
   * Makes the command.
   *
   * @param mainClass the class to run
   */
  public static List<String> of(Class<?> mainClass, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.add("-cp");
    command.add(Objects.requireNonNull(System.getProperty("java.class.path")));
    command.add(mainClass.getName());
    command.addAll(arguments);
    return command;
  }
}
