import fc from 'fast-check';

// That a history fails says enough: the smallest one that does may take minutes to find.
fc.configureGlobal({ endOnFailure: true });
