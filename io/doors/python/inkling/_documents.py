"""What is read of a pool: its matrix, words, ids, labels and texts."""

from __future__ import annotations

import difflib
import json
import tempfile
from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _checks, _core
from ._errors import FormatError, UnknownWordError
from ._given import text_of

if TYPE_CHECKING:
    import scipy.sparse as sp
    from numpy.typing import NDArray

Kept = tuple[tempfile.TemporaryDirectory[str], str]  # a temporary folder, and the pool in it
MOST_COMPARED = 200_000  # names, to find those near to one that is not there


class Token(NamedTuple):
    """A piece of a text, and its feature.

    Parameters
    ----------
    begin : int
        Where it begins, in characters.
    end : int
        Where it ends.
    feature : int or None
        Its feature if it is a word of the pool, else None.

    Examples
    --------
    >>> import inkling as ink
    >>> ink.Pool.from_text(["the sea"]).tokens("Sea!")[0]
    Token(begin=0, end=3, feature=0)
    """

    begin: int
    end: int
    feature: int | None


Token.__module__ = "inkling._pool"  # where pickles look for it


class Documents:
    """What a `Pool` holds, however it was made."""

    _core: _core.Pool
    _path: str | None
    _keeps: Kept | None  # if its files are in a temporary folder
    _names: list[str] | None = None
    _feature_of: dict[str, int] | None = None
    _ids: list[str]
    _rows: dict[str, int] | None = None  # by id
    _labels: list[str] | None = None  # empty text for a document without one
    _texts: list[str] | None = None
    _cache: dict[str, Any]

    def _place(self) -> str | None:
        """The folder of its files, temporary or not."""
        return self._keeps[1] if self._keeps else self._path

    @property
    def path(self) -> str | None:
        """Its folder; None if it is in memory or in a temporary folder."""
        return self._path

    @property
    def shape(self) -> tuple[int, int]:
        """Documents and features."""
        return (self._core.documents, self._core.features)

    def __len__(self) -> int:
        return self._core.documents

    @property
    def nnz(self) -> int:
        """How many values are stored."""
        return self._core.nonzeros

    @property
    def recipe(self) -> dict[str, Any]:
        """How the pool was made."""
        recipe: dict[str, Any] = json.loads(self._core.recipe())
        return recipe

    @property
    def X(self) -> sp.csr_array:
        """Documents by features, a read-only view without a copy."""
        view: sp.csr_array = self._view("X", "csr_array", self._core.rows)
        return view

    @property
    def T(self) -> sp.csc_array:
        """The same matrix by feature."""
        view: sp.csc_array = self._view("T", "csc_array", self._core.columns)
        return view

    def _view(self, name: str, kind: str, arrays: Callable[[], tuple[Any, Any, Any]]) -> Any:
        if name not in self._cache:
            import scipy.sparse

            offsets, indices, data = arrays()
            if self.nnz < 2**31 - 1:
                offsets = offsets.astype(np.int32)
                offsets.flags.writeable = False
            view = getattr(scipy.sparse, kind)((data, indices, offsets), shape=self.shape, copy=False)
            view.has_canonical_format = True
            self._cache[name] = view
        return self._cache[name]

    @property
    def vectors(self) -> NDArray[np.float32] | None:
        """The vectors that were brought, a row for each document, as they are kept; None if the pool has none.

        They are centred, of length 1 (a row of zeros is a document without one), and in steps of 8 bits.
        """
        codes, scales, dimensions = self._core.vectors()
        if dimensions == 0:
            return None
        return codes.reshape(-1, dimensions).astype(np.float32) * scales[:, None]

    @property
    def document_frequency(self) -> NDArray[np.int64]:
        """How many documents hold each feature."""
        return np.diff(self._core.column_offsets())

    @property
    def idf_(self) -> NDArray[np.float64]:
        """The weight of each feature; 1 for all if the pool was not made from text."""
        idf = self._core.idf()
        return np.ones(self.shape[1]) if idf is None else idf

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Return the words, by feature.

        Parameters
        ----------
        input_features : object, optional
            Not used; scikit-learn passes it.

        Returns
        -------
        array of str
            The words.
        """
        return np.array(self._words(), dtype=object)

    def _words(self) -> list[str]:
        if self._names is None:
            self._names = self._core.vocabulary() or [str(feature) for feature in range(self.shape[1])]
        return self._names

    def word(self, feature: int) -> str:
        """Return the word of a feature.

        Parameters
        ----------
        feature : int
            Its number.

        Returns
        -------
        str
            The word, or the number if the pool has no words.
        """
        number = _checks.whole("feature", feature, 0, self.shape[1] - 1)
        if self._names is not None:
            return self._names[number]
        word = self._core.word(number)
        return str(number) if word is None else word

    def feature(self, word: str) -> int:
        """Find the feature of a word or phrase, in capitals or not.

        Parameters
        ----------
        word : str
            The word.

        Returns
        -------
        int
            Its feature.

        Raises
        ------
        UnknownWordError
            If the pool does not have it, with the nearest words. It is a KeyError, too.

        Examples
        --------
        >>> import inkling as ink
        >>> ink.Pool.from_text(["dig the soil"]).feature("Soil")
        1
        """
        if not isinstance(word, str):
            raise FormatError(f"the word {word!r}", "expected text")
        found = self._lookup(word)
        if found is None:
            hint = _nearest(word.lower(), self._words() if self.shape[1] <= MOST_COMPARED else [])
            raise UnknownWordError(f"the word {word!r}", f"expected a word of the pool{hint}")
        return found

    def _lookup(self, word: str) -> int | None:
        try:
            word.encode()
        except UnicodeEncodeError:
            return None
        found = self._lookup_exactly(word)
        if found is None and self._core.is_from_text:
            tokens = self._core.term_of(word)
            if tokens and all(tokens):
                found = self._lookup_exactly(" ".join(tokens))
        return found

    def _lookup_exactly(self, word: str) -> int | None:
        found = self._core.feature(word)
        if found is None and self._names is not None and self._place() is None:
            if self._feature_of is None:
                self._feature_of = {name: feature for feature, name in enumerate(self._names)}
            found = self._feature_of.get(word)
        return found

    @property
    def ids(self) -> list[str]:
        """The name of each document; empty if they have none."""
        if not self._ids:
            self._ids = self._core.ids()
        return self._ids

    def row_of(self, id: str) -> int:
        """Find the document of an id.

        Parameters
        ----------
        id : str
            Its id.

        Returns
        -------
        int
            Its row.

        Raises
        ------
        FormatError
            If no document has it, with the nearest ids.

        Examples
        --------
        >>> import inkling as ink
        >>> ink.Pool.from_text(["dig the soil", "the sea"], ids=["a", "b"]).row_of("b")
        1
        """
        if self._rows is None:
            self._rows = {one: row for row, one in enumerate(self.ids)}
        row = self._rows.get(id)
        if row is None:
            hint = _nearest(str(id), self._rows if len(self._rows) <= MOST_COMPARED else [])
            raise FormatError(f"the id {id!r}", f"expected that of a document{hint}")
        return row

    @property
    def labels(self) -> NDArray[np.object_] | None:
        """The label of each document, or None for one without; None if no document has one."""
        if self._labels is None:
            names = np.array([*self._core.label_names(), ""], dtype=object)
            self._labels = names[self._core.labels()].tolist() if len(names) > 1 else []
        if not self._labels:
            return None
        return np.array([label or None for label in self._labels], dtype=object)

    def text(self, document: int) -> str:
        """Return the text of a document.

        Parameters
        ----------
        document : int
            Its row.

        Returns
        -------
        str
            The text.

        Raises
        ------
        FormatError
            If the texts were not kept.
        """
        number = _checks.document(document, self.shape[0])
        text = self._texts[number] if self._texts else self._core.text(number)
        if text is None:
            raise FormatError(f"document {number}", "expected a pool that keeps its texts (keep_text=True)")
        return text

    def fields(self, document: int | None = None) -> Any:
        """Return the fields of a record beside text, id and label.

        Parameters
        ----------
        document : int, optional
            Its row; by default all documents.

        Returns
        -------
        dict or list of dict
            Those of the document, or of all.
        """
        if document is None:
            return [self.fields(number) for number in range(self.shape[0])]
        text = self._core.fields(_checks.document(document, self.shape[0]))
        try:
            found = json.loads(text) if text else {}
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}

    def _has_texts(self) -> bool:
        return bool(self._texts) or self._core.has_texts

    def tokens(self, document_or_text: int | str) -> list[Token]:
        """Cut a text into pieces, and find the words of the pool among them.

        Parameters
        ----------
        document_or_text : int or str
            A document that keeps its text, or a text.

        Returns
        -------
        list of Token
            The pieces, in order; nothing of the text is left out.

        Examples
        --------
        >>> import inkling as ink
        >>> pool = ink.Pool.from_text(["Dig the soil!"], stop_words="english")
        >>> [token for token in pool.tokens(0) if token.feature is not None]
        [Token(begin=0, end=3, feature=0), Token(begin=8, end=12, feature=1)]
        """
        text = document_or_text if isinstance(document_or_text, str) else self.text(document_or_text)
        raw = text.encode("utf-8", "surrogatepass")
        tokens = []
        at = begin = 0
        for size, feature in self._core.runs(text):
            end = begin + len(raw[at : at + size].decode("utf-8", "surrogatepass"))
            tokens.append(Token(begin, end, feature))
            at, begin = at + size, end
        return tokens

    def transform(self, texts: Iterable[str]) -> sp.csr_array:
        """Make rows of new texts in this pool's features, weighed as its own.

        Parameters
        ----------
        texts : iterable of str
            The texts.

        Returns
        -------
        csr_array
            A row for each text.

        Raises
        ------
        FormatError
            If the pool was not made from text.
        """
        _checks.refuse_one_text(texts)
        if not self._core.is_from_text:
            raise FormatError("transform", "expected a pool that was made from text")
        import scipy.sparse

        given = [text_of("texts", number, text) for number, text in enumerate(texts)]
        offsets, features, values = self._core.transform(given)
        shape = (len(given), self.shape[1])
        rows: sp.csr_array = scipy.sparse.csr_array((values, features, offsets), shape=shape)
        return rows

    def _is_pool_of(self, fingerprint: str) -> bool:
        """Whether this is the pool of that fingerprint, or that pool with later records."""
        return fingerprint == self.fingerprint() or fingerprint in self._core.fingerprints_before()

    def copies(self) -> dict[int, int]:
        """Return the documents that are one record with another and are not offered.

        Returns
        -------
        dict
            For each of them the document that is offered in its place.

        Examples
        --------
        >>> import inkling as ink
        >>> ink.Pool.from_text(["dig the soil", "the sea", "dig the  soil"]).copies()
        {2: 0}
        """
        return dict(zip(*self._core.copies(), strict=True))

    def sources(self) -> list[dict[str, Any]]:
        """Return what became of the records of each file that this pool was made from.

        Returns
        -------
        list of dict
            By file, in the order of the documents: `source`, `format`, `documents`, `left_out` (records that could not be
            read), `why` (what was wrong with the first of them, if there are any), `known` (that were there already when they were added), `copies_within` and `copies_across` (documents
            that are not offered, because one of the same file, or of another one, is), `without_abstract` (None if it is
            not known) and `labelled`.
        """
        found: list[dict[str, Any]] = json.loads(self._core.sources())
        return found

    def fingerprint(self) -> str:
        """Return 16 digits that identify this pool.

        Returns
        -------
        str
            The digits, by which events and kept searches name their pool.
        """
        known = self._core.fingerprint()
        if known is None:
            import hashlib

            digest = hashlib.blake2b(digest_size=8)
            offsets, features, _ = self._core.rows()
            for part in (np.array(self.shape, dtype=np.int64), offsets, features):
                digest.update(part.view(np.uint8).data if part.size else b"")
            known = digest.hexdigest()
        return known


def _nearest(name: str, names: Collection[str]) -> str:
    """The end of an error about a name that is not there: those that are nearly the same."""
    near = difflib.get_close_matches(name, names, 3)
    return "; did you mean " + " or ".join(map(repr, near)) + "?" if near else ""
