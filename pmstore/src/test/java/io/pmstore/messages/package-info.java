/** Messages, read as the person who gets them. */
package io.pmstore.messages;
