/** What classes as others write them do in a store. */
package io.pmstore.classes;
