package io.pmstore.enhance;

import net.bytebuddy.agent.ByteBuddyAgent;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/** Attaches the agent before any test class is loaded. */
public final class AgentBeforeTests implements LauncherSessionListener {
  @Override
  public void launcherSessionOpened(LauncherSession session) {
    if (System.getProperty("pmstore.corpus") == null) { // whose classes are enhanced before
      EnhanceAgent.install(ByteBuddyAgent.install());
    }
  }
}
