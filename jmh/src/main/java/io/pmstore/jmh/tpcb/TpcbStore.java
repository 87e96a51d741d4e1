package io.pmstore.jmh.tpcb;

import java.sql.SQLException;

/**
 * A bank. Each method is a transaction of its own; {@link #transfer} is durable when it returns, as
 * far as the store was opened so. May be used by as many threads as it was opened for.
 */
interface TpcbStore extends AutoCloseable {
  /**
   * Characters that make a row of an account or a teller the 100 bytes that the standard asks for.
   */
  String FILLER = ".".repeat(84);

  /** The same for a branch. */
  String BRANCH_FILLER = ".".repeat(88);

  /** The same for the 50 bytes of a row of the history. */
  String HISTORY_FILLER = ".".repeat(22);

  /** Makes all branches, tellers and accounts, with balances of zero. Called once. */
  void load() throws Exception;

  /**
   * The transaction: adds the amount to the balance of the account, the teller and the branch, and
   * appends it to the history.
   *
   * @param timeMillis when, for the history
   * @return the new balance of the account
   * @throws IllegalStateException if there is no such account
   */
  long transfer(Transfer transfer, long timeMillis) throws Exception;

  /** Adds up what there is, at one moment. */
  Totals totals() throws Exception;

  @Override
  void close() throws SQLException;

  /** Returns the exception for an account that does not exist. */
  static IllegalStateException absent(int account) {
    return new IllegalStateException("there is no account " + account);
  }
}
