package io.pmstore.jmh.tpcb;

import io.pmstore.Persistent;

/** A teller of a bank in pmstore. */
@Persistent
class Teller extends BranchRow {}
