/** A program of somebody else. */
@NullMarked
package org.example.shop;

import org.jspecify.annotations.NullMarked;
