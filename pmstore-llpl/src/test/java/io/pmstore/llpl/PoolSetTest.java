package io.pmstore.llpl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pmstore.core.medium.AccessRights;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PoolSetTest {
  @TempDir Path temp;

  /** PMDK reads ASCII digits only. */
  @Test
  void theSizeHasTheDigitsOfNoLocale() throws Exception {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
    try (PoolSet set = PoolSet.write(temp.resolve("set"), temp, 1 << 26, AccessRights.OWNER)) {
      assertEquals("67108864", Files.readAllLines(set.file()).get(2).split(" ", -1)[0]);
    } finally {
      Locale.setDefault(before);
    }
  }
}
