package io.pmstore.maven;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.inject.Inject;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;
import org.apache.maven.toolchain.Toolchain;
import org.apache.maven.toolchain.ToolchainManager;
import org.jspecify.annotations.Nullable;

/**
 * Fails the build if a store cannot keep a persistent class of the build. This goal also compares
 * the classes with stores that earlier versions of the program have written, if there are any, and
 * fails the build if a class has changed in a way that has no mapping. It does not change the
 * stores.
 */
@Mojo(
    name = "check",
    defaultPhase = LifecyclePhase.PROCESS_CLASSES,
    requiresDependencyResolution = ResolutionScope.RUNTIME,
    threadSafe = true)
public final class CheckMojo extends AbstractMojo {
  /**
   * The directory of the stores; each directory in it is a store. The default is {@code
   * src/test/golden}, if that exists.
   */
  @Parameter(property = "pmstore.golden")
  private @Nullable File stores;

  @Parameter(defaultValue = "${project.basedir}/src/test/golden", readonly = true)
  private File usualStores = new File("src/test/golden");

  /**
   * The class that makes the options, with migrations and value types: a {@code
   * Supplier<PmStoreOptions>} with a constructor without parameters. If it is not set, the goal
   * uses the default options.
   */
  @Parameter private @Nullable String options;

  /** True to skip the check. */
  @Parameter(property = "pmstore.check.skip", defaultValue = "false")
  private boolean skip;

  @Parameter(defaultValue = "${project.build.outputDirectory}", readonly = true)
  private File classes = new File("target/classes");

  @Parameter(defaultValue = "${project.runtimeClasspathElements}", readonly = true)
  private List<String> classPath = List.of();

  @Parameter(defaultValue = "${session}", readonly = true)
  private @Nullable MavenSession session;

  private final @Nullable ToolchainManager toolchains;

  /**
   * Creates the goal. Maven calls this constructor.
   *
   * @param toolchains find the JDK of the build
   */
  @Inject
  public CheckMojo(ToolchainManager toolchains) {
    this.toolchains = toolchains;
  }

  /** Creates the goal without Maven, for tests. */
  CheckMojo(
      @Nullable File stores,
      File usualStores,
      File classes,
      List<String> classPath,
      @Nullable String options) {
    this.toolchains = null;
    this.stores = stores;
    this.usualStores = usualStores;
    this.classes = classes;
    this.classPath = classPath;
    this.options = options;
  }

  @Override
  public void execute() throws MojoExecutionException, MojoFailureException {
    if (skip) {
      getLog().info("skipped");
      return;
    }
    File directory = stores == null ? usualStores : stores;
    List<String> found = storesIn(directory);
    if (found.isEmpty()) {
      String missing =
          directory
              + " has no stores: write one with store.backup(Path) from each version that was"
              + " released, each into a directory of its own there; or set pmstore.golden";
      if (stores != null || directory.exists()) {
        throw new MojoExecutionException(missing);
      }
      getLog().warn("the classes are compared with no earlier version: " + missing);
    }
    List<String> lines = new ArrayList<>();
    int code = run(found, lines);
    String said = String.join(System.lineSeparator(), lines);
    switch (code) {
      case GoldenCheck.FIT -> getLog().info(said);
      case GoldenCheck.REFUSED -> throw new MojoFailureException(said);
      case GoldenCheck.CHANGED ->
          throw new MojoFailureException(
              said
                  + System.lineSeparator()
                  + "say in the class what became of it (docs/evolution.md), or pass a migration");
      default -> throw new MojoExecutionException("the stores could not be compared: " + said);
    }
  }

  private static List<String> storesIn(File directory) throws MojoExecutionException {
    if (!directory.isDirectory()) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(directory.toPath())) {
      return entries.filter(Files::isDirectory).map(Path::toString).sorted().toList();
    } catch (IOException e) {
      throw new MojoExecutionException("the stores in " + directory + " cannot be listed", e);
    }
  }

  private int run(List<String> found, List<String> lines) throws MojoExecutionException {
    try {
      Path own =
          Path.of(CheckMojo.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      List<String> command = new ArrayList<>();
      command.add(java());
      command.add("--enable-native-access=ALL-UNNAMED");
      command.add("-cp");
      command.add(String.join(File.pathSeparator, classPath) + File.pathSeparator + own);
      command.add(GoldenCheck.class.getName());
      command.add(classes.toString());
      command.add(options == null ? "" : options);
      command.addAll(found);
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      try (BufferedReader said = process.inputReader(Charset.defaultCharset())) {
        said.lines().forEach(lines::add);
      }
      return process.waitFor();
    } catch (IOException | URISyntaxException e) {
      throw new MojoExecutionException("the check could not be started", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MojoExecutionException("interrupted", e);
    }
  }

  private String java() {
    Toolchain jdk =
        toolchains == null ? null : toolchains.getToolchainFromBuildContext("jdk", session);
    String tool = jdk == null ? null : jdk.findTool("java");
    return tool == null ? Path.of(System.getProperty("java.home"), "bin", "java").toString() : tool;
  }
}
