package io.pmstore.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Certificates that the JDK's keytool makes, as files in PEM. */
final class TestCertificates {
  private static final String PASSWORD = "changeit";

  private final Path directory;
  private final Path keys;

  TestCertificates(Path directory) {
    this.directory = directory;
    this.keys = directory.resolve("keys.p12");
  }

  /** Makes a certificate, and its CA if there is none yet; both last for a day. */
  TestCertificates make(String name, String authority, String extension, String... more)
      throws Exception {
    if (!Files.exists(chain(authority))) {
      generate(authority, "-ext", "bc:c");
    }
    List<String> arguments = new ArrayList<>(List.of("-signer", authority, "-ext", extension));
    arguments.addAll(List.of(more));
    generate(name, arguments.toArray(String[]::new));
    return this;
  }

  private void generate(String name, String... more) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keystore",
                keys.toString(),
                "-storepass",
                PASSWORD,
                "-keyalg",
                "EC",
                "-validity",
                "1",
                "-alias",
                name,
                "-dname",
                "CN=" + name));
    command.addAll(List.of(more));
    Process tool =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("keytool.log").toFile())
            .start();
    assertEquals(
        0, tool.waitFor(), () -> "keytool, whose output is in " + directory + "/keytool.log");
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(keys)) {
      store.load(in, PASSWORD.toCharArray());
    }
    Files.writeString(
        key(name), pem("PRIVATE KEY", store.getKey(name, PASSWORD.toCharArray()).getEncoded()));
    StringBuilder chain = new StringBuilder();
    for (Certificate each : store.getCertificateChain(name)) {
      chain.append(pem("CERTIFICATE", each.getEncoded()));
    }
    Files.writeString(chain(name), chain);
  }

  private static String pem(String label, byte[] bytes) {
    String text = Base64.getMimeEncoder().encodeToString(bytes);
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(label, text, label);
  }

  Path key(String name) {
    return directory.resolve(name + ".key");
  }

  /** The certificate, and that of its CA. */
  Path chain(String name) {
    return directory.resolve(name + ".pem");
  }
}
