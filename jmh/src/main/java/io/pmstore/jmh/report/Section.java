package io.pmstore.jmh.report;

import java.util.List;

/**
 * A chapter of the report.
 *
 * @param blocks in their order; a section without any is left out
 */
record Section(String title, List<Block> blocks) {
  Section {
    blocks = List.copyOf(blocks);
  }
}
