package io.pmstore.jmh.tpcb;

import io.pmstore.Persistent;
import java.util.ArrayList;
import java.util.List;

/**
 * A branch of a bank in pmstore. The history of its tellers is a list of its own: transactions of
 * one branch change its balance, so they come one after the other as it is; a list for all would
 * have those of other branches wait too.
 */
@Persistent
class Branch extends BankRow {
  private List<HistoryEntry> history = new ArrayList<>();

  List<HistoryEntry> getHistory() {
    return history;
  }
}
