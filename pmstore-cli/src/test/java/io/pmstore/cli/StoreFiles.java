package io.pmstore.cli;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The files of a store as tests treat them. */
final class StoreFiles {
  private StoreFiles() {}

  /** Copies the files of a directory: of an open store, what a kill would leave. */
  static Path copy(Path from, Path to) throws IOException {
    try (Stream<Path> paths = Files.walk(from)) {
      for (Path path : paths.toList()) {
        Files.copy(path, to.resolve(from.relativize(path).toString()));
      }
    }
    return to;
  }

  /** Returns the digest of each file. */
  static Map<String, String> digests(Path directory) throws IOException {
    Map<String, String> digests = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : paths.filter(Files::isRegularFile).toList()) {
        try {
          byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(path));
          digests.put(directory.relativize(path).toString(), HexFormat.of().formatHex(digest));
        } catch (NoSuchAlgorithmException e) {
          throw new AssertionError(e);
        }
      }
    }
    return digests;
  }

  /** Inverts bits of a file. */
  static void flip(Path file, long offset, int length) throws IOException {
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      for (int i = 0; i < length; i++) {
        bytes.seek(offset + i);
        int b = bytes.read();
        bytes.seek(offset + i);
        bytes.write(~b);
      }
    }
  }
}
