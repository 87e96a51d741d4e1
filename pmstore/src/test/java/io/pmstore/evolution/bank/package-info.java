/** A bank that stays open while its objects get today's shapes. */
package io.pmstore.evolution.bank;
