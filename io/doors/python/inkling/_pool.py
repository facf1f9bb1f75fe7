"""Documents as a matrix: made from text or from SciPy's matrices, in memory or on disk."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _build, _checks, _core, _frames
from ._csr import canonical_csr
from ._documents import Documents, Kept
from ._documents import Token as Token
from ._errors import FormatError
from ._given import RecipeOptions, bring_vectors, documents_of, names_of, recipe_of, size_of, strings_of
from ._progress import Progress
from ._set import shards_of_set

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Pool(Documents):
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
    def _of(cls, core: _core.Pool, path: str | None = None, keeps: Kept | None = None) -> Pool:
        pool = object.__new__(cls)
        pool._core, pool._path, pool._keeps, pool._ids, pool._cache = core, path, keeps, [], {}
        return pool

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
        _checks.refuse_one_text(texts)
        made = recipe_of(**recipe)
        documents = documents_of(texts, ids, labels, fields)
        return cls._built(partial(_build.from_documents, documents, made, progress, size=size_of(texts)), out)

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
        documents = _frames.documents_in(_frames.frame_parts(frame), columns)
        return cls._built(partial(_build.from_documents, documents, made, progress), out)

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
        reading = _build.reading_of(format, [text_field, id_field, label_field], encoding, strict)
        reading.keep_fields, reading.follow_links = bool(keep_fields), bool(follow_links)
        return cls._built(partial(_build.from_files, sources, reading, made, progress), out)

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
        reading = _build.reading_of(format, [text_field, id_field, label_field], encoding, strict)
        folder = tempfile.TemporaryDirectory(prefix="inkling-")
        grown = os.path.join(folder.name, "pool")
        if not _build.add_files(before, sources, reading, like, progress, target or grown):
            return self
        if target is not None:
            return Pool.open(target)
        return Pool._of(_core.Pool.open(grown, True), keeps=(folder, grown))

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
            return cls._of(_core.Pool.open(path, True), keeps=(folder, path))
        except BaseException:
            folder.cleanup()
            raise

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
        return pool if out is None else cls._built(pool.save, out)

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
        if source is None:
            _build.from_matrix(self, target)
        else:
            _build.copy_pool(source, target)

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
            return (_from_bytes, (_build.packed(self._keeps[1]),))
        return (_rebuilt, (self.X, self._names, self._ids or None, self._labels, self._texts))


def _from_bytes(files: dict[str, bytes]) -> Pool:
    return Pool._built(partial(_build.unpack, files), None)


def _rebuilt(X: Any, names: Any, ids: Any, labels: Any, texts: Any) -> Pool:
    return Pool.from_csr(X, vocabulary=names, ids=ids, labels=labels, texts=texts)
