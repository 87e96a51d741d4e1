package io.pmstore.jmh.tpcb;

import io.pmstore.Persistent;
import java.util.HashMap;
import java.util.Map;

/** The root of a store: a bank, each part by its number. */
@Persistent(root = "bank")
class Bank {
  private Map<Integer, Branch> branches = new HashMap<>();
  private Map<Integer, Teller> tellers = new HashMap<>();
  private Map<Integer, Account> accounts = new HashMap<>();

  Map<Integer, Branch> getBranches() {
    return branches;
  }

  Map<Integer, Teller> getTellers() {
    return tellers;
  }

  Map<Integer, Account> getAccounts() {
    return accounts;
  }
}
