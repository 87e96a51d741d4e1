/** Crashes while objects of older shapes are upgraded. */
package io.pmstore.gc.upgrade;
