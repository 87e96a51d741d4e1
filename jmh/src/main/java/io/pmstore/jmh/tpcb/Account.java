package io.pmstore.jmh.tpcb;

import io.pmstore.Persistent;

/** An account of a bank in pmstore. */
@Persistent
class Account extends BranchRow {}
