package io.pmstore.enhance;

import net.bytebuddy.agent.ByteBuddyAgent;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/** Attaches the agent before any test class is loaded. */
public final class AgentBeforeTests implements LauncherSessionListener {
  // Surefire opens a session in Maven's own JVM, too, to find the test classes.
  private static final boolean IS_MAVEN =
      ClassLoader.getSystemResource("org/codehaus/plexus/classworlds/launcher/Launcher.class")
          != null;

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    boolean isCorpus = System.getProperty("pmstore.corpus") != null; // enhanced before
    if (!IS_MAVEN && !isCorpus) {
      EnhanceAgent.install(ByteBuddyAgent.install());
    }
  }
}
