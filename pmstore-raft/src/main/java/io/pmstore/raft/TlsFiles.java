package io.pmstore.raft;

import io.pmstore.PmStoreException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Checks the files for TLS before a node is opened. With a wrong one the node would open, and no
 * other node would talk to it, which nobody would log.
 */
final class TlsFiles {
  private static final System.Logger LOG = System.getLogger(TlsFiles.class.getName());
  private static final Pattern KEY = block("PRIVATE KEY");
  private static final Pattern CERTIFICATE = block("[^-\\n]*CERTIFICATE");
  private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA", "RSASSA-PSS");
  private static final int STEPS_MAX = 1_000;
  private static final char[] PASSWORD = "memory".toCharArray(); // of a key store in memory

  private final RaftSettings settings;

  private TlsFiles(RaftSettings settings) {
    this.settings = settings;
  }

  private static Pattern block(String label) {
    return Pattern.compile("-----BEGIN " + label + "-----([^-]*)-----END ");
  }

  /**
   * Checks the files, if the node uses TLS.
   *
   * @throws PmStoreException if one of them cannot be read, or a node with the same trusted
   *     certificates would refuse this one
   */
  static void check(RaftSettings settings) {
    if (settings.hasTls()) {
      new TlsFiles(settings).check();
    }
  }

  private void check() {
    String keyText = read("private key", settings.tlsKey());
    List<X509Certificate> chain = certificates("certificate", settings.tlsCertificate());
    List<X509Certificate> trust = certificates("file of trusted certificates", settings.tlsTrust());
    PrivateKey key = key(keyText);
    X509Certificate own = chain.getFirst();
    try {
      if (!belongs(key, own.getPublicKey())) {
        throw refused(
            "private key",
            settings.tlsKey(),
            "does not belong to the certificate " + settings.tlsCertificate().toAbsolutePath(),
            null);
      }
      own.checkValidity();
      handshake(context(key, chain, trust));
    } catch (CertificateException e) { // of its dates
      throw refused(
          "certificate",
          settings.tlsCertificate(),
          "is valid from %s to %s, and so not now"
              .formatted(own.getNotBefore().toInstant(), own.getNotAfter().toInstant()),
          e);
    } catch (GeneralSecurityException | IOException e) {
      Throwable refusal = RatisServer.rootOf(e);
      if (!isAboutCertificate(e)) {
        LOG.log(
            System.Logger.Level.WARNING,
            settings.id() + ": whether the files for TLS fit is not known",
            e);
        return;
      }
      throw refused(
          "certificate",
          settings.tlsCertificate(),
          "is refused by every node that trusts the certificates in %s: %s. It has to come from one of these, with those between, and to name the host %s"
              .formatted(settings.tlsTrust().toAbsolutePath(), refusal.getMessage(), host()),
          e);
    }
  }

  private String host() {
    return Addresses.host(settings.address());
  }

  private PmStoreException refused(String what, Path file, String why, @Nullable Throwable cause) {
    return new PmStoreException(
        "the %s of the node %s, %s, %s; correct RaftSettings.tls, or the file"
            .formatted(what, settings.id(), file.toAbsolutePath(), why),
        cause);
  }

  private static boolean isAboutCertificate(Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof CertificateException) {
        return true;
      }
    }
    return false;
  }

  // ---- files

  private String read(String what, Path file) {
    if (!Files.exists(file)) {
      throw refused(what, file, "does not exist", null);
    }
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw refused(what, file, "cannot be read (%s)".formatted(e), e);
    }
  }

  private List<X509Certificate> certificates(String what, Path file) {
    List<X509Certificate> found = new ArrayList<>();
    try {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      Matcher block = CERTIFICATE.matcher(read(what, file));
      while (block.find()) {
        byte[] bytes = Base64.getMimeDecoder().decode(block.group(1));
        found.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(bytes)));
      }
    } catch (CertificateException | IllegalArgumentException e) {
      throw refused(what, file, "has a certificate that is damaged (%s)".formatted(e), e);
    }
    if (found.isEmpty()) {
      throw refused(what, file, "has no certificate in PEM", null);
    }
    return found;
  }

  private PrivateKey key(String text) {
    Matcher block = KEY.matcher(text);
    if (block.find()) {
      try {
        byte[] bytes = Base64.getMimeDecoder().decode(block.group(1));
        for (String algorithm : ALGORITHMS) {
          PrivateKey key = key(algorithm, bytes);
          if (key != null) {
            return key;
          }
        }
      } catch (GeneralSecurityException | IllegalArgumentException e) {
        throw refused("private key", settings.tlsKey(), "is damaged (%s)".formatted(e), e);
      }
    }
    throw refused(
        "private key",
        settings.tlsKey(),
        "is no private key in PEM, PKCS #8, without a password (openssl pkcs8 -topk8 -nocrypt makes"
            + " one)",
        null);
  }

  private static @Nullable PrivateKey key(String algorithm, byte[] bytes)
      throws GeneralSecurityException {
    try {
      return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(bytes));
    } catch (InvalidKeySpecException e) {
      return null; // it is of another algorithm
    }
  }

  // ---- do they fit together

  private static boolean belongs(PrivateKey key, PublicKey of) throws GeneralSecurityException {
    if (!key.getAlgorithm().equals(of.getAlgorithm())) {
      return false;
    }
    String algorithm =
        switch (key.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          case "EdDSA" -> "EdDSA";
          default -> null;
        };
    if (algorithm == null) {
      return true; // as far as is known here
    }
    byte[] message = "pmstore".getBytes(StandardCharsets.US_ASCII);
    try {
      Signature signing = Signature.getInstance(algorithm);
      signing.initSign(key);
      signing.update(message);
      byte[] signature = signing.sign();
      Signature verifying = Signature.getInstance(algorithm);
      verifying.initVerify(of);
      verifying.update(message);
      return verifying.verify(signature);
    } catch (InvalidKeyException | SignatureException e) {
      return false; // of another curve, say
    }
  }

  private static SSLContext context(
      PrivateKey key, List<X509Certificate> chain, List<X509Certificate> trust)
      throws GeneralSecurityException, IOException {
    KeyStore own = KeyStore.getInstance("JKS"); // others want the chain in order, TLS does not
    own.load(null, null);
    own.setKeyEntry("node", key, PASSWORD, chain.toArray(X509Certificate[]::new));
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(own, PASSWORD);
    KeyStore trusted = KeyStore.getInstance("JKS");
    trusted.load(null, null);
    for (int i = 0; i < trust.size(); i++) {
      trusted.setCertificateEntry("trusted" + i, trust.get(i));
    }
    TrustManagerFactory trusts =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusts.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trusts.getTrustManagers(), null);
    return context;
  }

  /**
   * Lets the node shake hands with itself, in memory. Each side verifies the certificate of the
   * other, as another node would.
   */
  private void handshake(SSLContext context) throws SSLException {
    SSLEngine client = context.createSSLEngine(host(), Addresses.port(settings.address()));
    client.setUseClientMode(true);
    SSLParameters parameters = client.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS"); // as gRPC does
    client.setSSLParameters(parameters);
    SSLEngine server = context.createSSLEngine();
    server.setUseClientMode(false);
    server.setNeedClientAuth(true);
    int size = 4 * client.getSession().getPacketBufferSize();
    ByteBuffer toClient = ByteBuffer.allocate(size);
    ByteBuffer toServer = ByteBuffer.allocate(size);
    client.beginHandshake();
    server.beginHandshake();
    for (int i = 0; i < STEPS_MAX && (isShaking(client) || isShaking(server)); i++) {
      step(client, toClient, toServer);
      step(server, toServer, toClient);
    }
  }

  private static boolean isShaking(SSLEngine engine) {
    return engine.getHandshakeStatus() != SSLEngineResult.HandshakeStatus.NOT_HANDSHAKING;
  }

  private static void step(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws SSLException {
    switch (engine.getHandshakeStatus()) {
      case NEED_TASK -> {
        Runnable task = engine.getDelegatedTask();
        if (task != null) {
          task.run();
        }
      }
      case NEED_WRAP -> engine.wrap(ByteBuffer.allocate(0), out);
      case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
        in.flip();
        engine.unwrap(in, ByteBuffer.allocate(engine.getSession().getApplicationBufferSize()));
        in.compact();
      }
      default -> {}
    }
  }
}
