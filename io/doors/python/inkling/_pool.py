"""Documents as a matrix: made from text or from SciPy's matrices, in memory or on disk."""

from __future__ import annotations

import difflib
import json
import os
import shutil
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _checks, _core, _frames
from ._errors import FormatError, UnknownWordError
from ._csr import canonical_csr
from ._given import RecipeOptions, bring_vectors, documents_of, names_of, recipe_of, size_of, strings_of, text_of
from ._progress import reporter_of
from ._set import shards_of_set

if TYPE_CHECKING:
    import scipy.sparse as sp
    from numpy.typing import NDArray
    from typing_extensions import Unpack

Progress = Callable[[str, int, int], None]


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


class Pool:
    """Documents to choose from: a matrix of documents by words, by rows and by columns.

    Make one with `from_text`, `from_files`, `from_csr` or `open`. A pool never changes, and any number of threads
    may use it.

    >>> import inkling as ink
    >>> pool = ink.Pool.from_text(["dig the soil", "the sea is cold", "soil and compost"])
    >>> pool.shape
    (3, 8)
    >>> pool.get_feature_names_out().tolist()
    ['and', 'cold', 'compost', 'dig', 'is', 'sea', 'soil', 'the']
    """

    def __init__(self) -> None:
        raise TypeError("make a pool with Pool.from_text, Pool.from_files, Pool.from_csr or Pool.open")

    @classmethod
    def _of(cls, core: _core.Pool, path: str | None = None) -> Pool:
        pool = object.__new__(cls)
        pool._core, pool._path, pool._keeps = core, path, None
        pool._names, pool._feature_of, pool._ids, pool._rows = None, None, [], None
        pool._labels, pool._texts, pool._cache = None, None, {}
        return pool

    _core: _core.Pool
    _path: str | None
    _keeps: tuple[tempfile.TemporaryDirectory[str], str] | None  # the temporary folder of its files
    _names: list[str] | None
    _feature_of: dict[str, int] | None
    _ids: list[str]
    _rows: dict[str, int] | None  # by id
    _labels: list[str] | None  # empty text for a document without one
    _texts: list[str] | None
    _cache: dict[str, Any]

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, trust: bool = False, check: bool = False) -> Pool:
        """Map a pool on disk, and check it.

        A pool that passed is not checked again while its files stay as they are: a small file in ~/.cache/inkling records it.

        Parameters
        ----------
        path : str or path
            The folder of the pool.
        trust : bool, default False
            Whether to skip the comparison of checksums.
        check : bool, default False
            Whether to check all of it, even if it passed before.

        Returns
        -------
        Pool
            The pool, which reads its files as they are needed.

        Raises
        ------
        FormatError
            If it is no pool; CorruptFileError, which names the file, if it is damaged.

        Examples
        --------
        >>> import inkling as ink, tempfile, os
        >>> folder = tempfile.mkdtemp()
        >>> ink.Pool.from_text(["dig the soil"]).save(os.path.join(folder, "pool"))
        >>> ink.Pool.open(os.path.join(folder, "pool")).shape
        (1, 3)
        """
        text = _checks.path_of("path", path)
        if trust and check:
            raise FormatError("check", "expected without trust")
        return cls._of(_core.Pool.open(text, bool(trust), bool(check)), text)

    @classmethod
    def open_set(
        cls, path: str | os.PathLike[str], *, trust: bool = False, check: bool = False
    ) -> list[Pool]:
        """Map the shards of a set, in order.

        `inkling parts join` and `inkling.cluster.build` make sets. Each shard is a pool of its own, with the words and the idf of
        all. `inkling.score` takes the list, or the path of the set, as one.

        Parameters
        ----------
        path : str or path
            The file `set.json`.
        trust : bool, default False
            As in `open`.
        check : bool, default False
            As in `open`.

        Returns
        -------
        list of Pool
            The shards.
        """
        text = _checks.path_of("path", path)
        return [cls.open(shard, trust=trust, check=check) for shard in shards_of_set(text)]

    @classmethod
    def from_text(
        cls,
        texts: Iterable[str],
        *,
        out: str | os.PathLike[str] | None = None,
        ids: Iterable[str] | None = None,
        labels: Iterable[str | None] | None = None,
        fields: Iterable[Mapping[str, Any] | None] | None = None,
        progress: bool | Progress | None = None,
        **recipe: Unpack[RecipeOptions],
    ) -> Pool:
        """Make a pool of texts: TF-IDF, in memory or on disk.

        Options are named as in scikit-learn's TfidfVectorizer and mean the same. Three have other defaults, because searches
        find more that way: `sublinear_tf` is True (a word that comes ten times does not weigh ten times as much), words in more than
        95 % of the documents are left out, once there are 20 documents, and `ngram_range` is (1, 2) for a list of texts of at most
        64 Mi characters together.

        Parameters
        ----------
        texts : iterable of str
            The documents. A text that begins with its field `title` and a line end has it as its title, whose words count three times.
        out : str or path, optional
            The folder to make; by default the pool is in memory.
        ids : iterable of str, optional
            A name for each document, all different.
        labels : iterable of str or None, optional
            The topic of each document.
        fields : iterable of dict, optional
            What is kept beside each text, to be shown and exported: title, authors, year, DOI, ...
        progress : bool or callable, optional
            True for a bar of tqdm, or a function of (phase, done, total).
        **recipe
            `lowercase`, `strip_accents`, `token_pattern` (for words of some length), `stop_words`, `ngram_range`, `min_df`,
            `max_df`, `max_features`, `sublinear_tf`, `binary`, `use_idf`, `smooth_idf` and `norm` of TfidfVectorizer;
            `like_scikit_learn=True` for its defaults, unless an option is given;
            `vocabulary`, the words that are features, which are then sorted; `like`, another pool whose words and weights these
            documents get, with `memory` and `n_jobs` as the only other options;
            `min_df_runs` (3), how many documents must hold a run of several words that is a feature: the others count in the
            length of their row, unless it is 1; `keep_text` keeps the texts; `same_by` says by what records are one, of which
            searches offer each once ("doi,pmid,title,text"; "none" offers all, and so does `keep_duplicates=True`);
            `vectors`, a matrix or a .npy file with a row for each document, such as sentence vectors, from which the policy
            `inkling` learns beside the words; a row of zeros is a document without one;
            `memory` ("1G") and `n_jobs` limit what a build takes.

        Returns
        -------
        Pool
            The pool; its `recipe` says how it was made.

        Raises
        ------
        FormatError
            If a text, an id or an option is not valid.

        Examples
        --------
        >>> import inkling as ink
        >>> ink.Pool.from_text(["dig the soil", "the sea"], min_df=2).get_feature_names_out().tolist()
        ['the']
        """
        if isinstance(texts, (str, bytes)):
            raise FormatError("texts", "expected a list of texts, got one text")
        made = recipe_of(**recipe)
        documents = documents_of(texts, ids, labels, fields)

        def build(target: str) -> None:
            with reporter_of(progress) as teller:
                _core.build_texts(documents, size_of(texts), made, target, teller)

        return cls._built(build, out)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        text: str | Iterable[str] = "text",
        *,
        id: str | None = None,
        label: str | None = None,
        out: str | os.PathLike[str] | None = None,
        progress: bool | Progress | None = None,
        **recipe: Unpack[RecipeOptions],
    ) -> Pool:
        """Make a pool of a table of pandas, Polars or Arrow, of a dict of columns, or of such tables one after another.

        The same records make the same pool, whatever holds them. Columns that are neither text, id nor label are kept as fields:
        numbers, lists and nested values as JSON has them, dates and the like as text, bytes as UTF-8; missing values and NaN are
        left out, and so is the index of pandas, unless `reset_index` makes columns of it.

        A stream is read as it is needed, and may be larger than the memory. It is held until its texts have 64 Mi characters,
        because `ngram_range` depends on their size; with an `ngram_range` it is not.

        Parameters
        ----------
        frame : DataFrame, LazyFrame, Table, RecordBatchReader, dataset, dict or iterable of them
            The table: of pandas or Polars, a dataset of Hugging Face, or whatever has `__arrow_c_stream__` or
            `__arrow_c_array__`, which takes pyarrow.
        text : str or iterable of str, default "text"
            The column of the texts, or several that make one text, of which the first is its title.
        id : str, optional
            The column of ids; by default `id`, if there is one.
        label : str, optional
            The column of labels; by default `label`, if there is one.
        out : str or path, optional
            The folder to make; by default the pool is in memory.
        progress : bool or callable, optional
            As in `from_text`.
        **recipe
            As in `from_text`.

        Returns
        -------
        Pool
            The pool.

        Raises
        ------
        FormatError
            If it is no table, or has no such column.
        ImportError
            If pyarrow is needed and not installed.

        Examples
        --------
        >>> import inkling as ink
        >>> pool = ink.Pool.from_frame({"text": ["dig the soil"], "year": [1999]})
        >>> pool.fields(0)
        {'year': 1999}
        """
        columns = _frames.Columns([text] if isinstance(text, str) else list(text), id, label)
        made = recipe_of(**recipe)
        return cls._built(
            lambda target: _build_parts(_frames.frame_parts(frame), columns, made, target, progress), out
        )

    @classmethod
    def from_files(
        cls,
        sources: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
        *,
        out: str | os.PathLike[str] | None = None,
        format: str = "auto",
        text_field: str = "text",
        id_field: str = "id",
        label_field: str = "label",
        encoding: str = "auto",
        strict: bool = False,
        follow_links: bool = False,
        title_weight: int | None = None,
        keep_fields: bool = True,
        progress: bool | Progress | None = None,
        **recipe: Unpack[RecipeOptions],
    ) -> Pool:
        """Make a pool of folders, archives, tables, references, mail, pages or lines.

        The files may be larger than the memory.

        Parquet is files that end in .parquet or .pq, and folders of them, in the order of their names. pyarrow reads them in
        batches, and they make the pool that `from_frame` makes of the same table: a text, id or label may be any value, and a
        repeated id is an error. Addresses ("s3://bucket/papers/", "https://...", "memory://...") are those that fsspec knows. What
        is there is first fetched into a temporary folder (TMPDIR): Parquet one file at a time, other formats all of it.

        Parameters
        ----------
        sources : str, path or list of them
            Files, folders and addresses.
        out : str or path, optional
            The folder to make; by default a temporary one.
        format : str, default "auto"
            One of `inkling build --format` that holds text; "auto" detects it.
        text_field : str, default "text"
            The field of the text, or several as "title,abstract", of which the first is the title.
        id_field : str, default "id"
            The field of the id.
        label_field : str, default "label"
            The field of the label.
        encoding : str, default "auto"
            Of the text: "utf-8", "latin-1", "cp1252" or any name that ICU has. "auto" is UTF-8, or else what a file was found to
            be in, which a warning says.
        strict : bool, default False
            Whether the first bad record or repeated id is an error. Otherwise bad records are left out, and a record with the id
            of an earlier one is kept without an id; warnings name the first of them.
        follow_links : bool, default False
            Whether symbolic links in folders are followed, wherever they lead. A warning counts those that are not.
        title_weight : int, optional
            How often the title counts: 3 times, or once with `like_scikit_learn`.
        keep_fields : bool, default True
            Whether to keep the other fields of records, as `fields`.
        progress : bool or callable, optional
            As in `from_text`.
        **recipe
            As in `from_text`.

        Returns
        -------
        Pool
            The pool.

        Raises
        ------
        FormatError
            If no record can be read, or with `strict` one is not valid: with its file, line and column.
        ImportError
            If pyarrow or fsspec is needed and not installed.
        """
        made = recipe_of(title_weight, **recipe)
        reading = _reading(format, [text_field, id_field, label_field], encoding, strict)
        reading.keep_fields, reading.follow_links = bool(keep_fields), bool(follow_links)

        def build(target: str) -> None:
            _build_files(sources, reading, made, target, progress)

        return cls._built(build, out)

    def add(
        self,
        sources: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
        *,
        out: str | os.PathLike[str] | None = None,
        format: str = "auto",
        text_field: str = "text",
        id_field: str = "id",
        label_field: str = "label",
        encoding: str = "auto",
        strict: bool = False,
        vectors: Any = None,
        progress: bool | Progress | None = None,
    ) -> Pool:
        """Make the pool with later records after its own, as `inkling add` does.

        Documents keep their numbers and the pool its words and their weights, so its searches can continue: open them with what this
        gives. Words that are new are learned by a new build only. Records that the pool has already, by id or else by text, are
        left out. A pool on disk is replaced by the new one unless `out` names another place; until the end it stays as it is,
        and those who have it open keep what they opened.

        Parameters
        ----------
        sources : str, path or list of them
            Files, folders and addresses, as in `from_files`.
        out : str or path, optional
            The folder to make, in place of the pool's own.
        format : str, default "auto"
            As in `from_files`, as are the next four.
        text_field : str, default "text"
            The field of the text.
        id_field : str, default "id"
            The field of the id.
        label_field : str, default "label"
            The field of the label.
        encoding : str, default "auto"
            As in `from_files`.
        strict : bool, default False
            Whether the first bad record is an error.
        vectors : matrix or path, optional
            As in `from_text`, a row for each new record, if the pool has vectors; without them they have none.
        progress : bool or callable, optional
            As in `from_text`.

        Returns
        -------
        Pool
            The new pool; this one, with nothing written, if it has all records already.

        Raises
        ------
        FormatError
            If the pool was not made from text, or no record can be read, or with `strict` one is not valid.

        Examples
        --------
        >>> import inkling as ink, tempfile, os
        >>> later = os.path.join(tempfile.mkdtemp(), "later.txt")
        >>> _ = open(later, "w").write("soil and sea")
        >>> ink.Pool.from_text(["dig the soil", "the sea"]).add(later, format="lines").shape
        (3, 4)
        """
        place = self._place()
        if place is None:
            raise FormatError("the pool", "expected one made from text, found one made from a matrix")
        before = _core.Pool.open(place)  # others may have added to it since this one was opened
        like = _core.Recipe()
        like.like(before)
        if vectors is not None:
            if self.vectors is None:
                raise FormatError("vectors", "expected a pool that has vectors, found one without")
            bring_vectors(like, vectors)
        target = self._path if out is None else _checks.path_of("out", out)
        folder = tempfile.TemporaryDirectory(prefix="inkling-")
        reading = _reading(format, [text_field, id_field, label_field], encoding, strict)
        more, grown = (os.path.join(folder.name, name) for name in ("more", "pool"))
        _build_files(sources, reading, like, more, progress)
        if not _core.extend(before, more, target or grown):
            return self
        if target is not None:
            return Pool.open(target)
        pool = Pool._of(_core.Pool.open(grown, True))
        pool._keeps = (folder, grown)
        return pool

    @classmethod
    def _built(cls, build: Callable[[str], None], out: str | os.PathLike[str] | None) -> Pool:
        if out is not None:
            path = _checks.path_of("out", out)
            build(path)
            return cls.open(path)
        folder = tempfile.TemporaryDirectory(prefix="inkling-")
        try:
            path = os.path.join(folder.name, "pool")
            build(path)
            pool = cls._of(_core.Pool.open(path, True))
        except BaseException:
            folder.cleanup()
            raise
        pool._keeps = (folder, path)
        return pool

    @classmethod
    def from_csr(
        cls,
        X: Any,
        *,
        vocabulary: Sequence[str] | Mapping[str, int] | None = None,
        ids: Iterable[str] | None = None,
        labels: Iterable[str | None] | None = None,
        texts: Iterable[str] | None = None,
        copy: bool | str = "auto",
        out: str | os.PathLike[str] | None = None,
    ) -> Pool:
        """Make a pool of a SciPy CSR matrix.

        Rows are borrowed where they are float32 values, sorted, with int32 indices; then the matrix must not be changed as long as
        the pool lives, or searches of it give wrong results. Columns are made of them, which takes 8 bytes a non-zero.

        Parameters
        ----------
        X : sparse array or matrix
            Documents by features.
        vocabulary : list of str or dict, optional
            The words, by column.
        ids : iterable of str, optional
            A name for each document.
        labels : iterable of str or None, optional
            The topic of each document.
        texts : iterable of str, optional
            The documents as they are read.
        copy : bool or "auto", default "auto"
            Whether to copy; "auto" copies what cannot be borrowed; False makes that an error, which says why.
        out : str or path, optional
            The folder to make; by default the pool is in memory.

        Returns
        -------
        Pool
            The pool.

        Examples
        --------
        >>> import inkling as ink, numpy as np, scipy.sparse as sp
        >>> X = sp.csr_array(np.array([[1, 0], [0.6, 0.8]], dtype=np.float32))
        >>> np.shares_memory(ink.Pool.from_csr(X, copy=False).X.data, X.data)
        True
        """
        rows = canonical_csr(X, copy)
        offsets = np.ascontiguousarray(rows.indptr, dtype=np.int64)
        pool = cls._of(_core.Pool.borrow(offsets, rows.indices, rows.data, rows.shape[1]))
        pool._names = names_of(vocabulary, rows.shape[1])
        pool._ids = strings_of("ids", ids, rows.shape[0]) or []
        given = None if labels is None else ["" if label is None else label for label in labels]
        pool._labels = strings_of("labels", given, rows.shape[0])
        pool._texts = strings_of("texts", texts, rows.shape[0])
        if out is None:
            return pool
        path = _checks.path_of("out", out)
        pool.save(path)
        return cls.open(path)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the pool to a folder, whole or not at all.

        Columns come in the order of their words.

        Parameters
        ----------
        path : str or path
            The folder, which must not exist.
        """
        target = _checks.path_of("path", path)
        source = self._place()
        if source is not None:
            _copy_pool(source, target)
            return
        with_ = _core.SavedMatrix()
        if self._names is not None:
            order = sorted(range(len(self._names)), key=self._names.__getitem__)
            with_.terms = [self._names[column] for column in order]
            places = np.empty(len(order), dtype=np.int32)
            places[order] = np.arange(len(order), dtype=np.int32)
            with_.order = places.tolist()
        with_.ids = self._ids
        with_.labels = self._labels or []
        with_.texts = self._texts or []
        _core.save(target, self._core, with_)

    def verify(self) -> None:
        """Read every byte on disk.

        Raises
        ------
        CorruptFileError
            If a file is not what was written; it names the file.
        """
        source = self._place()
        if source is not None:
            _core.verify(source)

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
        if found is not None:
            return found
        near = difflib.get_close_matches(word.lower(), self._words(), 3) if self.shape[1] <= 200_000 else []
        raise UnknownWordError(
            f"the word {word!r}",
            "expected a word of the pool"
            + ("; did you mean " + " or ".join(map(repr, near)) + "?" if near else ""),
        )

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
        if found is None and self._names is not None and self._path is None and self._keeps is None:
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
            near = difflib.get_close_matches(str(id), self._rows, 3) if len(self._rows) <= 200_000 else []
            hint = "; did you mean " + " or ".join(map(repr, near)) + "?" if near else ""
            raise FormatError(f"the id {id!r}", "expected that of a document" + hint)
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
        if isinstance(texts, (str, bytes)):
            raise FormatError("texts", "expected a list of texts, got one text")
        if not self._core.is_from_text:
            raise FormatError("transform", "expected a pool that was made from text")
        import scipy.sparse

        given = [text_of("texts", number, text) for number, text in enumerate(texts)]
        offsets, features, values = self._core.transform(given)
        rows: sp.csr_array = scipy.sparse.csr_array(
            (values, features, offsets), shape=(len(given), self.shape[1])
        )
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

    def __repr__(self) -> str:
        where = f" at {self._path}" if self._path else ""
        return f"<Pool of {self.shape[0]} documents by {self.shape[1]} features, {self.nnz} values{where}>"

    def _repr_html_(self) -> str:
        from ._html import pool_html

        return pool_html(self)

    def __reduce__(self) -> Any:
        if self._path is not None:
            return (Pool.open, (os.path.abspath(self._path),))
        if self._keeps is not None:
            return (_from_bytes, (_archive(self._keeps[1]),))
        return (_rebuilt, (self.X, self._names, self._ids or None, self._labels, self._texts))


def _reading(format: str, names: list[str], encoding: str, strict: bool) -> _core.Reading:
    """How files are read. `names`: of the fields of text, id and label."""
    formats = ("auto", *_core.document_formats())
    if format not in formats:
        raise FormatError(f"format {format!r}", "expected one of " + ", ".join(formats))
    reading = _core.Reading()
    reading.format, reading.names, reading.encoding, reading.strict = format, names, encoding, bool(strict)
    return reading


def _build_files(
    sources: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    reading: _core.Reading,
    recipe: _core.Recipe,
    target: str,
    progress: bool | Progress | None,
) -> None:
    """Warns of records that were left out, and of the like."""
    if isinstance(sources, (str, bytes, os.PathLike)):
        sources = [sources]
    given = _frames.Sources([_checks.path_of("sources", source) for source in sources])
    if not given.given:
        raise FormatError("sources", "expected at least one file or folder")
    parquet, links = given.parquet_files(reading.follow_links) if reading.format == "auto" else ([], 0)
    if parquet:
        columns = _frames.columns_of_files(reading.names, reading.keep_fields)
        _build_parts(_frames.parquet_parts(parquet), columns, recipe, target, progress)
        remarks = [f"{links} links in folders were not followed (follow_links=True follows them)"] if links else []
    else:
        with given.fetched() as places, reporter_of(progress) as teller:
            reading.origins = [one.rstrip("/") if "://" in one else one for one in given.given]
            try:
                remarks = _core.build_files(places, reading, recipe, target, teller)
            except FormatError as error:
                raise given.named(error, places) from None
    for remark in remarks[:20] + remarks[max(20, len(remarks) - 3) :]:
        warnings.warn(remark, stacklevel=5)


def _build_parts(
    parts: Iterator[_frames.Part],
    columns: _frames.Columns,
    recipe: _core.Recipe,
    target: str,
    progress: bool | Progress | None,
) -> None:
    with reporter_of(progress) as teller:
        _core.build_texts(_frames.documents_in(parts, columns), 0, recipe, target, teller)


def _copy_pool(source: str, target: str) -> None:
    if os.path.lexists(target):
        raise FormatError(target, "expected a name that is not taken")
    partial = f"{target}.{os.getpid()}.partial"
    try:
        shutil.copytree(source, partial)
        os.rename(partial, target)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise


def _archive(path: str) -> dict[str, bytes]:
    files = {}
    for folder, _, names in os.walk(path):
        for name in names:
            place = os.path.join(folder, name)
            with open(place, "rb") as file:
                files[os.path.relpath(place, path)] = file.read()
    return files


def _from_bytes(files: dict[str, bytes]) -> Pool:
    def build(target: str) -> None:
        for name, content in files.items():
            place = os.path.join(target, name)
            os.makedirs(os.path.dirname(place), exist_ok=True)
            with open(place, "wb") as file:
                file.write(content)

    return Pool._built(build, None)


def _rebuilt(X: Any, names: Any, ids: Any, labels: Any, texts: Any) -> Pool:
    return Pool.from_csr(X, vocabulary=names, ids=ids, labels=labels, texts=texts)
